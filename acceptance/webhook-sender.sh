#!/bin/sh
# Signs a file and delivers it: webhook-sender.sh ADDRESS SECRET-FILE DELIVERY-ID MEDIA-TYPE BODY-FILE
set -eu
: <"$5"
address=$1 id=$3 type=$4 body=$5 t=$(date +%s)
secret=$(cat "$2")
# HMAC-SHA256 (RFC 2104) in two hashes: given to openssl, the secret would stand in the list of processes.
key() { { printf %s "$secret"; head -c 64 /dev/zero; } | od -An -v -tu1 -N64; }
pad() { for byte in $(key); do printf "\\$(printf %03o $((byte ^ $1)))"; done; }
inner() { { pad 0x36; printf %s "$t.$id."; cat "$body"; } | openssl dgst -sha256 -binary; }
v1=$({ pad 0x5c; inner; } | openssl dgst -sha256 -r)
curl -isS "$address" -H "Content-Type: $type" -H "Service-Delivery-Id: $id" \
  -H "Service-Signature: t=$t,v1=${v1%% *}" --data-binary "@$body"
