// Parts of POSIX shell commands that pages give to be pasted.

/** A text as one word, to the letter. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Ends a here-document. No JSON text has such a line, and no CSV has it as its header. */
const endOfText = 'END_OF_ROWS'

/** Writes a text to a file. */
export function writeFile(name: string, text: string): string {
  return `cat > ${name} <<'${endOfText}'\n${text.replace(/\n?$/, '\n')}${endOfText}`
}

/**
 * Signs a webhook of `$id` and a file's content into `$t` and `$v1`: HMAC-SHA256 (RFC 2104) as two hashes, since openssl would
 * show a key among its arguments in the list of processes.
 *
 * @param secret name of the variable with the signing secret
 */
export function signWebhook(secret: string, file: string): string {
  return `t=$(date +%s)
key() { { printf %s "$${secret}"; head -c 64 /dev/zero; } | od -An -v -tu1 -N64; }
pad() { for byte in $(key); do printf "\\\\$(printf %03o $((byte ^ $1)))"; done; }
inner() { { pad 0x36; printf %s "$t.$id."; cat ${file}; } | openssl dgst -sha256 -binary; }
v1=$({ pad 0x5c; inner; } | openssl dgst -sha256 -r)`
}
