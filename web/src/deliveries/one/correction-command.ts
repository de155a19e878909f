import { type Format, formatRules } from '../../api/engine-rules.ts'
import { quote, signWebhook, writeFile } from '../../company/shell.ts'

/** A row to be sent again, by field; null for a missing value. */
export type CorrectedRow = Record<string, string | null>

/** A corrected copy of a delivery, and how it is sent. */
export interface CorrectedCopy {
  /** Of the service. */
  origin: string
  channel: 'push' | 'webhook'
  sourceId: string
  shapeVersion: number
  format: Format
  /** A new one, since the first delivery keeps its own. */
  key: string
  /** How the connection authenticates; undefined for a webhook, and where it is unknown. */
  credential: { kind: 'static' } | { kind: 'client'; clientId: string } | undefined
  /** The rows to send. Without them the whole document is sent, from a file. */
  rows?: readonly CorrectedRow[]
}

/** The longest key that the service takes, in characters. */
const keyCharactersMax = 200

/**
 * A key for a corrected copy, which says whose copy it is.
 *
 * @param at an instant, so that each attempt has its own key
 */
export function createCorrectionKey(key: string, at: string): string {
  const end = `-corrected-${at.slice(0, 19).replaceAll(/\D/g, '')}`
  // A key also goes into a header and a shell command.
  const plain = key.replaceAll(/[^\w:-]/g, '_')
  return `${plain.slice(0, keyCharactersMax - end.length)}${end}`
}

/** The file that a whole document is read from. */
export function getCorrectedFile(format: CorrectedCopy['format']): string {
  return formatRules[format].fileName.replace(/^\w+/, 'corrected')
}

const rowsFile = 'corrected.json'

/** A placeholder for a value that a person has to fill in; the command sends nothing while one remains. */
export const fillIn = 'FILL IN'

function refuseBlanks(rows: readonly CorrectedRow[]): string {
  const hasBlank = rows.some((row) => Object.values(row).includes(fillIn))
  return hasBlank ? `! grep -n '${fillIn}' ${rowsFile} &&\n` : ''
}

function toPayload(rows: readonly CorrectedRow[]): CorrectedRow[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
}

/** Reads the secret without echoing it. */
export const askForSecret = 'printf "Secret: "; stty -echo; IFS= read -r NUMERA_SECRET; stty echo; echo'

/**
 * The POSIX shell command that sends a corrected copy. It contains no secret: that is read from `NUMERA_SECRET`, and passed to
 * curl so that the list of processes does not show it.
 */
export function createCorrectionCommand(copy: CorrectedCopy): string {
  return copy.channel === 'webhook' ? createWebhookCommand(copy) : createPushCommand(copy)
}

function createPushCommand(copy: CorrectedCopy): string {
  const { origin, format, key, shapeVersion, credential, rows } = copy
  const isClient = credential?.kind === 'client'
  const token = isClient
    ? `NUMERA_TOKEN=$(printf 'user = "%s:%s"\\n' ${quote(credential.clientId)} "$NUMERA_SECRET" |
  curl -sS -K - ${quote(`${origin}/oauth/token`)} -d grant_type=client_credentials |
  sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')\n`
    : ''
  const call = `printf 'header = "Authorization: Bearer %s"\\n' "$${isClient ? 'NUMERA_TOKEN' : 'NUMERA_SECRET'}" |
  curl -sS -K - ${quote(`${origin}/v1/ingest`)}`
  if (rows === undefined) {
    return `${token}${call} -H 'Content-Type: application/octet-stream' \\
    -H ${quote(`Idempotency-Key: ${key}`)} -H 'X-Service-Shape-Version: ${shapeVersion}' \\
    --data-binary @${getCorrectedFile(format)}`
  }
  const delivery = { idempotency_key: key, shape_version: shapeVersion, payload: toPayload(rows) }
  return `${writeFile(rowsFile, JSON.stringify(delivery, null, 2))}
${token}${refuseBlanks(rows)}${call} -H 'Content-Type: application/json' --data-binary @${rowsFile}`
}

function createWebhookCommand({ origin, sourceId, format, key, rows }: CorrectedCopy): string {
  const file = rows === undefined ? getCorrectedFile(format) : rowsFile
  const type = (rows === undefined && formatRules[format].webhookMediaType) || 'application/json'
  const save = rows === undefined ? '' : `${writeFile(file, JSON.stringify(toPayload(rows), null, 2))}\n`
  return `${save}id=${quote(key)}
${signWebhook('NUMERA_SECRET', file)}
${refuseBlanks(rows ?? [])}curl -sS ${quote(`${origin}/v1/webhooks/${sourceId}`)} -H 'Content-Type: ${type}' \\
  -H "Service-Delivery-Id: $id" -H "Service-Signature: t=$t,v1=\${v1%% *}" \\
  --data-binary @${file}`
}
