#!/usr/bin/env bash
# Runs the whole flow of delegated access with two OAuth clients that Debian packages, Authlib and requests-oauthlib, against
# a temporary demo. Exits with 75 if the clients are neither installed nor can be.
set -euo pipefail
cd "$(dirname "$0")/.."
# As in npm's scripts, the Node that the project installs comes first.
export PATH="$PWD/node_modules/.bin:$PATH"

python=/usr/bin/python3
packages='python3-authlib python3-requests-oauthlib'
unavailable=75

if ! "$python" -c 'import authlib, requests, requests_oauthlib' 2>/dev/null; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "The Python clients are not installed (Debian's packages $packages)" >&2
    exit "$unavailable"
  fi
  echo "Installing Debian's $packages …"
  export DEBIAN_FRONTEND=noninteractive
  if ! timeout 600 bash -c "apt-get -qq update && apt-get -qq install -y --no-install-recommends $packages" \
    </dev/null >/dev/null; then
    echo "$packages could not be installed" >&2
    exit "$unavailable"
  fi
fi

folder=$(mktemp -d)
demo=

finish() {
  local status=$?
  trap - EXIT
  if [ -n "$demo" ] && kill -TERM "$demo" 2>/dev/null; then wait "$demo" || true; fi
  rm -rf "$folder"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
base="http://127.0.0.1:$port"
# When this runs as root, the database runs as another user, which must be able to enter.
chmod 711 "$folder"
env -u DATABASE_URL NUMERA_IDENTITY=demo NUMERA_BASE_URL="$base" NUMERA_HTTP_PORT="$port" NUMERA_METRICS_PORT=0 \
  NUMERA_DATA_FOLDER="$folder/data" node src/main.ts demo >"$folder/printed" 2>&1 &
demo=$!
for round in $(seq 1801); do
  if grep -q 'Press Ctrl-C to stop' "$folder/printed"; then break; fi
  if ((round > 1800)) || ! kill -0 "$demo" 2>/dev/null; then
    cat "$folder/printed" >&2
    exit 1
  fi
  sleep 0.1
done

# The source that the published demo connection reads.
source_id=$("$python" -c '
import json, sys, urllib.request
call = urllib.request.Request(sys.argv[1], headers={"Authorization": "Bearer nsk_demo_reads_fixture_samples"})
print(json.load(urllib.request.urlopen(call))["source_id"])' "$base/v1/samples?metric=revenue")

export PYTHONDONTWRITEBYTECODE=1
for client in authlib requests_oauthlib; do
  "$python" "acceptance/clients/${client}_client.py" "$base" 559999-0016 "$source_id"
done
