import { type Format, formatRules } from '../../api/engine-rules.ts'
import { quote, signWebhook, writeFile } from '../../company/shell.ts'
import type { Declaration, Source } from '../declaration.ts'
import { createExampleRow, toCsv } from './example-row.ts'

export type CodeLanguage = 'curl' | 'typescript' | 'python' | 'shell'

/** What the code is filled in with. */
export interface QuickStartInput {
  /** Of the service, such as `https://numera.example`. */
  origin: string
  source: Pick<Source, 'source_id' | 'channel' | 'format' | 'shape_version'>
  declaration: Declaration
  /** The sender; a webhook source needs none. */
  connection?: {
    credential_kind: 'client' | 'static'
    /** It has no source of its own, so that the address names one. */
    isUnbound: boolean
    /** It acts for several companies, so that the address names one. */
    orgnr?: string
  }
  /** The event time of the row, RFC 3339. */
  at: string
  /** Of the delivery. */
  key: string
}

/** A piece of code; `code.…` are the texts that explain each. */
export interface CodePart {
  label: 'token' | 'static' | 'row' | 'file' | 'sie' | 'save' | 'secret' | 'sign' | 'whole'
  code: string
}

function getIngestAddress({ origin, source, connection }: QuickStartInput): string {
  const query = new URLSearchParams()
  if (connection?.isUnbound === true) query.set('source_id', source.source_id)
  if (connection?.orgnr !== undefined) query.set('orgnr', connection.orgnr)
  return `${origin}/v1/ingest${query.size === 0 ? '' : `?${query}`}`
}

function getWebhookAddress({ origin, source }: QuickStartInput): string {
  return `${origin}/v1/webhooks/${source.source_id}`
}

/** The body of a push that is not a file. */
function createDelivery({ source, declaration, at, key }: QuickStartInput): string {
  const payload = [createExampleRow(declaration, at)]
  return JSON.stringify({ idempotency_key: key, shape_version: source.shape_version, payload }, null, 2)
}

/** The file of a push source that delivers files: its name, and its text where an example is possible. */
function createFile({
  source,
  declaration,
  at,
}: QuickStartInput): { name: string; text: string | undefined } | undefined {
  const format = source.format ?? 'json'
  if (format === 'json') return undefined
  const row = createExampleRow(declaration, at)
  const texts: Partial<Record<Format, string>> = { csv: toCsv(row), json_lines: `${JSON.stringify(row)}\n` }
  return { name: formatRules[format].fileName, text: texts[format] }
}

/** The file that the connection's page offers (connections/shown-once.tsx); a shell can source it. */
const envFile = 'numera.env'

function createCurlToken({ origin, connection }: QuickStartInput): CodePart {
  if (connection?.credential_kind === 'static') {
    return { label: 'static', code: `. ./${envFile}\nexport NUMERA_TOKEN="$NUMERA_CREDENTIAL"` }
  }
  const code = `. ./${envFile}
export NUMERA_TOKEN=$(curl -sS ${origin}/oauth/token \\
  -u "$NUMERA_CLIENT_ID:$NUMERA_CLIENT_SECRET" \\
  -d grant_type=client_credentials |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  return { label: 'token', code }
}

function createCurlPush(input: QuickStartInput): CodePart[] {
  const call = `curl -sS ${quote(getIngestAddress(input))} \\
  -H "Authorization: Bearer $NUMERA_TOKEN" \\`
  const file = createFile(input)
  if (file === undefined) {
    const code = `${call}
  -H "Content-Type: application/json" \\
  -d ${quote(createDelivery(input))}`
    return [createCurlToken(input), { label: 'row', code }]
  }
  const code = `${call}
  -H "Content-Type: application/octet-stream" \\
  -H "Idempotency-Key: ${input.key}" \\
  --data-binary @${file.name}`
  const { name, text } = file
  const save: CodePart[] = text === undefined ? [] : [{ label: 'save', code: writeFile(name, text) }]
  return [createCurlToken(input), ...save, { label: text === undefined ? 'sie' : 'file', code }]
}

function createTypescriptPush(input: QuickStartInput): CodePart[] {
  const file = createFile(input)
  const token =
    input.connection?.credential_kind === 'static'
      ? 'const token = process.env.NUMERA_CREDENTIAL'
      : `const { NUMERA_CLIENT_ID: id, NUMERA_CLIENT_SECRET: secret } = process.env
const answer = await fetch(${JSON.stringify(`${input.origin}/oauth/token`)}, {
  method: 'POST',
  headers: { authorization: \`Basic \${Buffer.from(\`\${id}:\${secret}\`).toString('base64')}\` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
})
const { access_token: token } = await answer.json()`
  const code = `// node --env-file=${envFile} push.ts
${file === undefined ? '' : "import { readFile } from 'node:fs/promises'\n\n"}${token}

const receipt = await fetch(${JSON.stringify(getIngestAddress(input))}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${token}\`,
    'content-type': '${file === undefined ? 'application/json' : 'application/octet-stream'}',
${file === undefined ? '' : `    'idempotency-key': '${input.key}',\n`}  },
  body: ${
    file === undefined
      ? `JSON.stringify(${createDelivery(input).replaceAll('\n', '\n  ')})`
      : `await readFile('${file.name}')`
  },
})
console.log(receipt.status, await receipt.json())`
  return [{ label: 'whole', code }]
}

function createPythonPush(input: QuickStartInput): CodePart[] {
  const file = createFile(input)
  const isStatic = input.connection?.credential_kind === 'static'
  const token = isStatic
    ? 'token = os.environ["NUMERA_CREDENTIAL"]'
    : `secret = f'{os.environ["NUMERA_CLIENT_ID"]}:{os.environ["NUMERA_CLIENT_SECRET"]}'
basic = base64.b64encode(secret.encode()).decode()
token = call(${JSON.stringify(`${input.origin}/oauth/token`)}, b"grant_type=client_credentials", {
    "Authorization": f"Basic {basic}",
})["access_token"]`
  const code = `# set -a; . ./${envFile}; python3 push.py
import ${isStatic ? '' : 'base64, '}json, os, urllib.request

def call(address, body, headers):
    with urllib.request.urlopen(urllib.request.Request(address, body, headers)) as answer:
        return json.load(answer)

${token}

body = ${
    file === undefined ? `json.dumps(${createDelivery(input)}).encode()` : `open("${file.name}", "rb").read()`
  }
print(call(${JSON.stringify(getIngestAddress(input))}, body, {
    "Authorization": f"Bearer {token}",
    "Content-Type": "${file === undefined ? 'application/json' : 'application/octet-stream'}",
${file === undefined ? '' : `    "Idempotency-Key": "${input.key}",\n`}}))`
  return [{ label: 'whole', code }]
}

/** The body of a webhook: CSV where the source has that format, else JSON. */
function createWebhookBody({ source, declaration, at }: QuickStartInput) {
  const row = createExampleRow(declaration, at)
  return source.format === 'csv'
    ? { type: 'text/csv', body: toCsv(row), name: 'body.csv' }
    : { type: 'application/json', body: `${JSON.stringify(row)}\n`, name: 'body.json' }
}

function createShellWebhook(input: QuickStartInput): CodePart[] {
  const { type, body, name } = createWebhookBody(input)
  const code = `id=${quote(input.key)}
# HMAC-SHA256 as two hashes: openssl would show the secret in the list of processes.
${signWebhook('NUMERA_SIGNING_SECRET', name)}
curl -sS ${quote(getWebhookAddress(input))} \\
  -H "Content-Type: ${type}" \\
  -H "Service-Delivery-Id: $id" \\
  -H "Service-Signature: t=$t,v1=\${v1%% *}" \\
  --data-binary @${name}`
  return [
    { label: 'secret', code: 'read -rs NUMERA_SIGNING_SECRET && export NUMERA_SIGNING_SECRET' },
    { label: 'save', code: writeFile(name, body) },
    { label: 'sign', code },
  ]
}

function createTypescriptWebhook(input: QuickStartInput): CodePart[] {
  const { type, body } = createWebhookBody(input)
  const code = `import { createHmac } from 'node:crypto'

const id = ${JSON.stringify(input.key)}
const body = ${JSON.stringify(body)}
const t = Math.floor(Date.now() / 1000)
const v1 = createHmac('sha256', process.env.NUMERA_SIGNING_SECRET)
  .update(\`\${t}.\${id}.\${body}\`)
  .digest('hex')
const receipt = await fetch(${JSON.stringify(getWebhookAddress(input))}, {
  method: 'POST',
  headers: {
    'content-type': '${type}',
    'service-delivery-id': id,
    'service-signature': \`t=\${t},v1=\${v1}\`,
  },
  body,
})
console.log(receipt.status, await receipt.json())`
  return [{ label: 'sign', code }]
}

function createPythonWebhook(input: QuickStartInput): CodePart[] {
  const { type, body } = createWebhookBody(input)
  const code = `import hashlib, hmac, os, time, urllib.request

id = ${JSON.stringify(input.key)}
body = ${JSON.stringify(body)}.encode()
t = int(time.time())
secret = os.environ["NUMERA_SIGNING_SECRET"].encode()
v1 = hmac.new(secret, f"{t}.{id}.".encode() + body, hashlib.sha256).hexdigest()
request = urllib.request.Request(${JSON.stringify(getWebhookAddress(input))}, body, {
    "Content-Type": "${type}",
    "Service-Delivery-Id": id,
    "Service-Signature": f"t={t},v1={v1}",
})
with urllib.request.urlopen(request) as receipt:
    print(receipt.status, receipt.read().decode())`
  return [{ label: 'sign', code }]
}

const writers: Record<
  Source['channel'],
  Partial<Record<CodeLanguage, (input: QuickStartInput) => CodePart[]>>
> = {
  push: { curl: createCurlPush, typescript: createTypescriptPush, python: createPythonPush },
  webhook: { shell: createShellWebhook, typescript: createTypescriptWebhook, python: createPythonWebhook },
}

/** The languages with code for a channel. */
export function getCodeLanguages(channel: Source['channel']): readonly CodeLanguage[] {
  return Object.keys(writers[channel]) as CodeLanguage[]
}

/** Code that sends one row to the source, complete but for the credential. */
export function createQuickStartCode(language: CodeLanguage, input: QuickStartInput): CodePart[] {
  return writers[input.source.channel][language]?.(input) ?? []
}
