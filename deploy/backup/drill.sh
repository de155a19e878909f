#!/bin/sh
# Restores a backup into a scratch folder, starts it there, compares all samples with their deliveries, and removes it.
#
#   sh drill.sh [INSTANT]     an instant such as "2026-11-24 10:00:00+00"; by default the end of what is stored
#
# As the user of PostgreSQL. NUMERA_MASTER_KEY is the deployment's; the running server and the backup are not changed.
set -eu

stanza=${STANZA:-numera}
programs=${POSTGRES_PROGRAMS:-/usr/lib/postgresql/15/bin}
numera=${NUMERA:-/opt/numera}
database=${DATABASE:-numera}
role=${ROLE:-numera}

scratch=$(mktemp -d)
end() {
  "$programs/pg_ctl" --pgdata="$scratch/data" --mode=immediate --silent stop 2>/dev/null || true
  rm -rf "$scratch"
}
trap end EXIT INT TERM

mkdir -m 700 "$scratch/data" "$scratch/socket"
if [ $# -gt 0 ]; then
  set -- --type=time "--target=$1" --target-action=promote
fi
pgbackrest --stanza="$stanza" --pg1-path="$scratch/data" "$@" restore

# Nothing of the copy goes to the backup, and no one reaches it but this user.
echo 'local all all trust' >"$scratch/hba"
cat >>"$scratch/data/postgresql.auto.conf" <<SETTINGS
archive_mode = off
hba_file = '$scratch/hba'
ident_file = '$scratch/ident'
listen_addresses = ''
unix_socket_directories = '$scratch/socket'
ssl = off
SETTINGS
: >"$scratch/ident"
[ -f "$scratch/data/postgresql.conf" ] || : >"$scratch/data/postgresql.conf"
"$programs/pg_ctl" --pgdata="$scratch/data" --log="$scratch/log" --timeout=86400 --silent start || {
  tail -n 20 "$scratch/log" >&2
  exit 1
}
until "$programs/psql" --host="$scratch/socket" --dbname="$database" --username="$role" --quiet --tuples-only \
  --command='select pg_is_in_recovery()' | grep -q f; do sleep 1; done

DATABASE_URL="postgresql://$role@localhost/$database?host=$scratch/socket" \
  "$numera/node_modules/.bin/node" "$numera/src/main.ts" rebuild --check
