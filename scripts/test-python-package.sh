#!/usr/bin/env bash
# Runs the tests of packages/python with Debian's python3, mypy, pandas and httpx, and builds its wheel and its source archive. Exits with
# 75 if these are neither installed nor can be, after the tests that Python alone can run.
set -euo pipefail
cd "$(dirname "$0")/../packages/python"

python=/usr/bin/python3
packages='python3 mypy python3-hatchling python3-httpx python3-pandas'
unavailable=75
export PYTHONPATH=src PYTHONDONTWRITEBYTECODE=1

has_packages() { "$python" -c 'import hatchling, httpx, mypy, pandas' 2>/dev/null; }

if ! has_packages && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Debian's $packages …"
  export DEBIAN_FRONTEND=noninteractive
  timeout 600 bash -c "apt-get -qq update && apt-get -qq install -y --no-install-recommends $packages" </dev/null >/dev/null ||
    echo "$packages could not be installed" >&2
fi

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "The client needs Python 3.11" >&2
  exit "$unavailable"
fi
KILLS=20 "$python" -m unittest
if "$python" -c 'import mypy' 2>/dev/null; then "$python" -m mypy --cache-dir=/dev/null; fi
has_packages || exit "$unavailable"

# Hatchling by itself fetches nothing.
built=$(mktemp -d)
trap 'rm -r "$built"' EXIT
"$python" -m hatchling build -d "$built" >/dev/null
files=$("$python" -m zipfile -l "$built"/*.whl && "$python" -m tarfile -l "$built"/*.tar.gz)
if grep -i test <<<"$files"; then
  echo "A package has a test" >&2
  exit 1
fi
PYTHONPATH=$(echo "$built"/*.whl) "$python" -c 'import numera, numera.outbox; assert ".whl" in numera.__file__'
