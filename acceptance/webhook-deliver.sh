#!/bin/sh
# Delivers until it is taken, signing each attempt anew; takes what webhook-sender.sh takes.
: <"$2" <"$5" || exit
wait=30 end=$(($(date +%s) + 3 * 24 * 3600))
while [ "$(date +%s)" -lt "$end" ]; do
  answer=$(sh "${0%/*}/webhook-sender.sh" "$@" | tr -d '\r')
  status=$(printf %s "$answer" | sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p' | tail -1)
  after=$(printf %s "$answer" | sed -n 's/^[Rr]etry-[Aa]fter: //p')
  case $status in
    2*) printf '%s\n' "$answer" | tail -1 && exit ;;
    408 | 429 | 5* | '') ;; # later; no status: there was no answer
    *) printf '%s\n' "$answer" >&2 && exit 1 ;;
  esac
  if [ "$status" = 429 ] && [ -n "$after" ]; then sleep "$after" && continue; fi
  sleep $((wait - $(od -An -N2 -tu2 /dev/urandom) % (wait / 5)))
  wait=$((wait < 1800 ? wait * 2 : 3600))
done
exit 75
