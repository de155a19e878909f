/** A row to be sent again, by field; null where it was not there. */
export type MendedRow = Record<string, string | null>

/** How a mended copy of a delivery gets back to where it came from. */
export interface MendedCopy {
  /** Of the service. */
  origin: string
  channel: 'push' | 'webhook'
  sourceId: string
  shapeVersion: number
  /** What the source takes. */
  format: 'json' | 'json_lines' | 'csv' | 'sie'
  /** A new one: under the old one the first delivery stands. */
  key: string
  /** How the connection identifies itself; undefined for a webhook, and where it is not known. */
  credential: { kind: 'static' } | { kind: 'client'; clientId: string } | undefined
  /** The rows to send. Without them the whole document is sent, from a file. */
  rows?: readonly MendedRow[]
}

/** The longest key that the service takes, in characters. */
export const keyCharactersMax = 200

/**
 * A new key for a mended copy, which says whose copy it is.
 *
 * @param at an instant: another try gets another key
 */
export function mendedKey(key: string, at: string): string {
  const end = `-mended-${at.slice(0, 19).replaceAll(/\D/g, '')}`
  // A key goes into a header too, and into a shell: of what else it may have, nothing is needed to tell it by.
  const plain = key.replaceAll(/[^\w:-]/g, '_')
  return `${plain.slice(0, keyCharactersMax - end.length)}${end}`
}

const fileEndings = { json: 'json', json_lines: 'jsonl', csv: 'csv', sie: 'se' } as const

/** The file that the whole of a document is read from. */
export function mendedFile(format: MendedCopy['format']): string {
  return `mended.${fileEndings[format]}`
}

/** Stands where a person has to write the value: the command sends nothing while it does. */
export const fillIn = 'FILL IN'

function unlessBlank(rows: readonly MendedRow[]): string[] {
  const hasBlank = rows.some((row) => Object.values(row).includes(fillIn))
  return hasBlank ? [`! grep -n '${fillIn}' mended.json &&`] : []
}

/** A text in a POSIX shell, to the letter. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A line that no JSON text has: each of its lines is a bracket or begins with a space. */
const endOfText = 'END_OF_ROWS'

function hereDocument(text: string): string {
  return `<<'${endOfText}'\n${text}\n${endOfText}`
}

function withoutMissing(row: MendedRow): MendedRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

/** Asks for the secret, and shows nothing of it. */
export const askForSecret = 'printf "Secret: "; stty -echo; IFS= read -r NUMERA_SECRET; stty echo; echo'

/**
 * The command that sends a mended copy, for a POSIX shell. No secret stands in it: it is read from `NUMERA_SECRET`, and
 * given to curl in a way that the list of processes does not show.
 */
export function mendedCommand(copy: MendedCopy): string {
  return copy.channel === 'webhook' ? webhookCommand(copy) : pushCommand(copy)
}

function pushCommand({ origin, format, key, shapeVersion, credential, rows }: MendedCopy): string {
  const lines: string[] = []
  if (credential?.kind === 'client') {
    lines.push(
      `NUMERA_TOKEN=$(printf 'user = "%s:%s"\\n' ${quote(credential.clientId)} "$NUMERA_SECRET" |`,
      `  curl -sS -K - ${quote(`${origin}/oauth/token`)} -d grant_type=client_credentials |`,
      `  sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')`,
    )
  }
  const variable = credential?.kind === 'client' ? 'NUMERA_TOKEN' : 'NUMERA_SECRET'
  const authorization = `printf 'header = "Authorization: Bearer %s"\\n' "$${variable}" |`
  const address = quote(`${origin}/v1/ingest`)
  if (rows === undefined) {
    return [
      ...lines,
      authorization,
      `  curl -sS -K - ${address} -H 'Content-Type: application/octet-stream' \\`,
      `    -H ${quote(`Idempotency-Key: ${key}`)} -H 'X-Service-Shape-Version: ${shapeVersion}' \\`,
      `    --data-binary @${mendedFile(format)}`,
    ].join('\n')
  }
  const delivery = { idempotency_key: key, shape_version: shapeVersion, payload: rows.map(withoutMissing) }
  return [
    `cat >mended.json ${hereDocument(JSON.stringify(delivery, null, 2))}`,
    ...lines,
    ...unlessBlank(rows),
    authorization,
    `  curl -sS -K - ${address} -H 'Content-Type: application/json' --data-binary @mended.json`,
  ].join('\n')
}

function webhookCommand({ origin, sourceId, format, key, rows }: MendedCopy): string {
  const file = rows === undefined ? mendedFile(format) : 'mended.json'
  const type = rows === undefined && format === 'csv' ? 'text/csv' : 'application/json'
  const lines: string[] = []
  if (rows !== undefined) {
    lines.push(`cat >${file} ${hereDocument(JSON.stringify(rows.map(withoutMissing), null, 2))}`)
  }
  return [
    ...lines,
    `id=${quote(key)} t=$(date +%s)`,
    // HMAC-SHA256 (RFC 2104) in two hashes: given to openssl, the secret would stand in the list of processes.
    'key() { { printf %s "$NUMERA_SECRET"; head -c 64 /dev/zero; } | od -An -v -tu1 -N64; }',
    'pad() { for byte in $(key); do printf "\\\\$(printf %03o $((byte ^ $1)))"; done; }',
    `inner() { { pad 0x36; printf %s "$t.$id."; cat ${file}; } | openssl dgst -sha256 -binary; }`,
    'v1=$({ pad 0x5c; inner; } | openssl dgst -sha256 -r)',
    ...unlessBlank(rows ?? []),
    `curl -sS ${quote(`${origin}/v1/webhooks/${sourceId}`)} -H 'Content-Type: ${type}' \\`,
    '  -H "Service-Delivery-Id: $id" -H "Service-Signature: t=$t,v1=${v1%% *}" \\',
    `  --data-binary @${file}`,
  ].join('\n')
}
