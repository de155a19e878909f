#!/bin/sh
# Pushes a file as one delivery: push-document.sh ADDRESS AUTHORIZATION-FILE FILE
set -eu
address=$1 authorization=$2 file=$3
# When the file was written, and what is in it: the same file has the same key, however often it is sent.
key=$(date -u -r "$file" +%Y-%m-%dT%H:%M:%SZ)-$(sha256sum <"$file" | cut -c 1-16)
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
# Sent again after no answer, 408, 429 (as Retry-After says) and 5xx, after 1, 2, 4, 8 … seconds.
status=$(curl -sS "$address/v1/ingest" -H "@$authorization" -H 'Content-Type: application/octet-stream' \
  -H "Idempotency-Key: $key" --data-binary "@$file" -o "$answer" -w '%{http_code}' \
  --max-time 120 --retry 10 --retry-all-errors) || :
case $status in
  202) cat "$answer" && echo ;;
  000 | 408 | 429 | 5*) echo "$file was not taken, try again later ($status)" >&2 && exit 75 ;;
  *) echo "$file was not taken ($status): $(cat "$answer")" >&2 && exit 1 ;;
esac
