#!/usr/bin/env bash
# Runs the tests that need a database on three nodes of Citus, in temporary clusters. Arguments replace the names of these
# tests for vitest. Exits with 75 if no installed PostgreSQL has Citus.
set -euo pipefail
cd "$(dirname "$0")/.."
# As in npm's scripts, the Node that the project installs comes first.
export PATH="$PWD/node_modules/.bin:$PATH"

unavailable=75

# The newest PostgreSQL with the extension, where Debian, Red Hat, Homebrew and PostgreSQL itself put it.
bin=
for config in $(ls -d /usr/lib/postgresql/*/bin/pg_config /usr/pgsql-*/bin/pg_config /opt/homebrew/opt/postgresql@*/bin/pg_config \
  /usr/local/pgsql/bin/pg_config 2>/dev/null | sort -V) $(command -v pg_config || true); do
  folder=$("$config" --bindir)
  if [ -f "$("$config" --sharedir)/extension/citus.control" ] && [ -x "$folder/postgres" ]; then bin=$folder; fi
done
if [ -z "$bin" ]; then
  echo "Citus is not installed (https://docs.citusdata.com/en/stable/installation/single_node.html)" >&2
  exit "$unavailable"
fi

folder=$(mktemp -d)
postmasters=()

finish() {
  local status=$?
  trap - EXIT
  for postmaster in "${postmasters[@]}"; do
    if kill -INT "$postmaster" 2>/dev/null; then wait "$postmaster" || true; fi
  done
  rm -rf "$folder"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# PostgreSQL refuses to run as root.
as_user=()
if [ "$(id -u)" = 0 ]; then
  chown nobody "$folder"
  as_user=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --)
fi

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'
}
password=$(node -p 'crypto.randomBytes(18).toString("hex")')
# The nodes log in to each other with the second file.
(umask 077 && echo "$password" >"$folder/password" && echo "127.0.0.1:*:*:numera:$password" >"$folder/passwords")
if [ "$(id -u)" = 0 ]; then chown nobody "$folder/password" "$folder/passwords"; fi

ports=()
cd "$folder"
for node in 0 1 2; do
  port=$(free_port)
  ports+=("$port")
  "${as_user[@]}" "$bin/initdb" --pgdata="$folder/$node" --username=numera --auth=scram-sha-256 --encoding=UTF8 --locale=C \
    --pwfile="$folder/password" --no-sync >/dev/null
  PGPASSFILE="$folder/passwords" "${as_user[@]}" "$bin/postgres" -D "$folder/$node" -p "$port" \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c shared_preload_libraries=citus -c wal_level=logical \
    -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=300 -c log_min_messages=panic \
    -c max_worker_processes=64 -c citus.node_conninfo=sslmode=disable \
    -c citus.enable_statistics_collection=off &
  postmasters+=("$!")
done
cd - >/dev/null

for port in "${ports[@]}"; do
  for _ in $(seq 150); do
    if "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; then break; fi
    for postmaster in "${postmasters[@]}"; do kill -0 "$postmaster" || exit 1; done
    sleep 0.1
  done
done

export PGPASSFILE="$folder/passwords"
run_sql() { "$bin/psql" -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$1" -U numera -d postgres -c "$2" >/dev/null; }
for port in "${ports[@]}"; do run_sql "$port" "create extension citus"; done
coordinator=${ports[0]}
run_sql "$coordinator" "select citus_set_coordinator_host('127.0.0.1', $coordinator)"
for port in "${ports[@]:1}"; do run_sql "$coordinator" "select citus_add_node('127.0.0.1', $port)"; done
unset PGPASSFILE

export NUMERA_TEST_CITUS_URL="postgresql://numera:$password@127.0.0.1:$coordinator/postgres"
echo "On $("$bin/postgres" --version) with Citus:"
# The tests of web/ need no database.
if (($# == 0)); then set -- .service.test.ts acceptance/; fi
vitest run --project service --project acceptance "$@"
