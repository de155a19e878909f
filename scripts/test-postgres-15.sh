#!/usr/bin/env bash
# Runs the tests that need a database on Debian's PostgreSQL 15, in a temporary cluster. Arguments replace the names of
# these tests for vitest. Exits with 75 if PostgreSQL 15 is neither installed nor can be.
set -euo pipefail
cd "$(dirname "$0")/.."
# As in npm's scripts, the Node that the project installs comes first.
export PATH="$PWD/node_modules/.bin:$PATH"

bin=/usr/lib/postgresql/15/bin
unavailable=75

if [ ! -x "$bin/postgres" ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "PostgreSQL 15 is not installed (Debian's package postgresql-15)" >&2
    exit "$unavailable"
  fi
  echo "Installing Debian's postgresql-15 …"
  # Otherwise the package creates and starts a cluster.
  mkdir -p /etc/postgresql-common/createcluster.d
  echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/numera-test.conf
  export DEBIAN_FRONTEND=noninteractive
  if ! timeout 600 bash -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends postgresql-15' \
    </dev/null >/dev/null; then
    echo "postgresql-15 could not be installed" >&2
    exit "$unavailable"
  fi
fi

folder=$(mktemp -d)
postmaster=

finish() {
  local status=$?
  trap - EXIT
  if [ -n "$postmaster" ] && kill -INT "$postmaster" 2>/dev/null; then wait "$postmaster" || true; fi
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

port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
password=$(node -p 'crypto.randomBytes(18).toString("hex")')
(umask 077 && echo "$password" >"$folder/password")
if [ "$(id -u)" = 0 ]; then chown nobody "$folder/password"; fi

cd "$folder"
"${as_user[@]}" "$bin/initdb" --pgdata="$folder/data" --username=numera --auth=scram-sha-256 --encoding=UTF8 --locale=C \
  --pwfile="$folder/password" --no-sync >/dev/null
"${as_user[@]}" "$bin/postgres" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 \
  -c unix_socket_directories= -c fsync=off -c max_connections=100 -c log_min_messages=panic &
postmaster=$!
cd - >/dev/null

for _ in $(seq 150); do
  if "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; then break; fi
  kill -0 "$postmaster" || exit 1
  sleep 0.1
done

export DATABASE_URL="postgresql://numera:$password@127.0.0.1:$port/postgres"
echo "On $("$bin/postgres" --version):"
# The tests of web/ need no database.
if (($# == 0)); then set -- .service.test.ts src/app/operator/ src/platform/database/ src/people/identity/bankid/ acceptance/; fi
vitest run --project service --project service-slow --project acceptance "$@"
