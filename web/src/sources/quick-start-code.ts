import { exampleRow, writeCsv } from './example-row.ts'
import type { Declaration, Source } from './draft.ts'

export type CodeLanguage = 'curl' | 'typescript' | 'python' | 'shell'

/** What the code is filled in with. */
export interface QuickStartInput {
  /** Of the service, such as `https://numera.example`. */
  origin: string
  source: Pick<Source, 'source_id' | 'delivery_way' | 'document_form' | 'shape_version'>
  declaration: Declaration
  /** Who sends; of a webhook source nobody needs to be. */
  connection?: {
    credential_kind: 'client' | 'static'
    /** The source has to be named. */
    isUnbound: boolean
    /** The company has to be named. */
    orgnr?: string
  }
  /** The event time of the row, as RFC 3339 writes it. */
  at: string
  /** Of the delivery. */
  key: string
}

/** A piece of code, and which sentence says what it does: `code.…`. */
export interface CodePart {
  label: 'token' | 'static' | 'row' | 'file' | 'sie' | 'save' | 'secret' | 'sign' | 'whole'
  code: string
}

/** In single quotes of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function ingestAddress({ origin, source, connection }: QuickStartInput): string {
  const query = new URLSearchParams()
  if (connection?.isUnbound === true) query.set('source_id', source.source_id)
  if (connection?.orgnr !== undefined) query.set('orgnr', connection.orgnr)
  const search = query.toString()
  return `${origin}/v1/ingest${search === '' ? '' : `?${search}`}`
}

function webhookAddress({ origin, source }: QuickStartInput): string {
  return `${origin}/v1/webhooks/${source.source_id}`
}

function delivery({ source, declaration, at, key }: QuickStartInput): object {
  return { idempotency_key: key, shape_version: source.shape_version, payload: [exampleRow(declaration, at)] }
}

/** A document of a push source, where it delivers files: its name, and its text where it can be made up. */
function documentOf({
  source,
  declaration,
  at,
}: QuickStartInput): { name: string; text?: string } | undefined {
  const row = exampleRow(declaration, at)
  switch (source.document_form) {
    case 'csv':
      return { name: 'rows.csv', text: writeCsv(row) }
    case 'json_lines':
      return { name: 'rows.jsonl', text: `${JSON.stringify(row)}\n` }
    case 'sie':
      return { name: 'ledger.se' }
    default:
      return undefined
  }
}

/** What the page of a connection gives as a file (connections/shown-once.tsx): a shell reads it as it is. */
const envFileName = 'numera.env'

function curlToken({ origin, connection }: QuickStartInput): CodePart {
  const read = `. ./${envFileName}`
  if (connection?.credential_kind === 'static') {
    return { label: 'static', code: `${read}\nexport NUMERA_TOKEN="$NUMERA_CREDENTIAL"` }
  }
  return {
    label: 'token',
    code: [
      read,
      `export NUMERA_TOKEN=$(curl -sS ${origin}/oauth/token \\`,
      '  -u "$NUMERA_CLIENT_ID:$NUMERA_CLIENT_SECRET" \\',
      '  -d grant_type=client_credentials |',
      `  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    ].join('\n'),
  }
}

function heredoc(name: string, text: string): CodePart {
  return { label: 'save', code: `cat > ${name} <<'END'\n${text}END` }
}

function curlPush(input: QuickStartInput): CodePart[] {
  const address = quoted(ingestAddress(input))
  const document = documentOf(input)
  if (document === undefined) {
    const code = [
      `curl -sS ${address} \\`,
      '  -H "Authorization: Bearer $NUMERA_TOKEN" \\',
      '  -H "Content-Type: application/json" \\',
      `  -d ${quoted(JSON.stringify(delivery(input), null, 2))}`,
    ].join('\n')
    return [curlToken(input), { label: 'row', code }]
  }
  const send = [
    `curl -sS ${address} \\`,
    '  -H "Authorization: Bearer $NUMERA_TOKEN" \\',
    '  -H "Content-Type: application/octet-stream" \\',
    `  -H "Idempotency-Key: ${input.key}" \\`,
    `  --data-binary @${document.name}`,
  ].join('\n')
  const label = document.text === undefined ? 'sie' : 'file'
  return [
    curlToken(input),
    ...(document.text === undefined ? [] : [heredoc(document.name, document.text)]),
    { label, code: send },
  ]
}

/** What a program sends: a body with its headers, as TypeScript or Python write them. */
function pushedParts(input: QuickStartInput): { document?: string; json?: string } {
  const document = documentOf(input)
  return document === undefined
    ? { json: JSON.stringify(delivery(input), null, 2) }
    : { document: document.name }
}

function typescriptPush(input: QuickStartInput): CodePart[] {
  const { origin, connection, key } = input
  const { document, json } = pushedParts(input)
  const token =
    connection?.credential_kind === 'static'
      ? ['const token = process.env.NUMERA_CREDENTIAL']
      : [
          'const { NUMERA_CLIENT_ID: id, NUMERA_CLIENT_SECRET: secret } = process.env',
          `const answer = await fetch(${JSON.stringify(`${origin}/oauth/token`)}, {`,
          "  method: 'POST',",
          "  headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },",
          "  body: new URLSearchParams({ grant_type: 'client_credentials' }),",
          '})',
          'const { access_token: token } = await answer.json()',
        ]
  const type = document === undefined ? 'application/json' : 'application/octet-stream'
  const code = [
    `// node --env-file=${envFileName} push.ts`,
    ...(document === undefined ? [] : ["import { readFile } from 'node:fs/promises'", '']),
    ...token,
    '',
    `const receipt = await fetch(${JSON.stringify(ingestAddress(input))}, {`,
    "  method: 'POST',",
    '  headers: {',
    '    authorization: `Bearer ${token}`,',
    `    'content-type': '${type}',`,
    ...(document === undefined ? [] : [`    'idempotency-key': '${key}',`]),
    '  },',
    document === undefined
      ? `  body: JSON.stringify(${json!.replaceAll('\n', '\n  ')}),`
      : `  body: await readFile('${document}'),`,
    '})',
    'console.log(receipt.status, await receipt.json())',
  ].join('\n')
  return [{ label: 'whole', code }]
}

function pythonPush(input: QuickStartInput): CodePart[] {
  const { origin, connection, key } = input
  const { document, json } = pushedParts(input)
  const isStatic = connection?.credential_kind === 'static'
  const token = isStatic
    ? ['token = os.environ["NUMERA_CREDENTIAL"]']
    : [
        'secret = f\'{os.environ["NUMERA_CLIENT_ID"]}:{os.environ["NUMERA_CLIENT_SECRET"]}\'',
        'basic = base64.b64encode(secret.encode()).decode()',
        `token = call(${JSON.stringify(`${origin}/oauth/token`)}, b"grant_type=client_credentials", {`,
        '    "Authorization": f"Basic {basic}",',
        '})["access_token"]',
      ]
  const type = document === undefined ? 'application/json' : 'application/octet-stream'
  const code = [
    `# set -a; . ./${envFileName}; python3 push.py`,
    `import ${isStatic ? '' : 'base64, '}json, os, urllib.request`,
    '',
    'def call(address, body, headers):',
    '    with urllib.request.urlopen(urllib.request.Request(address, body, headers)) as answer:',
    '        return json.load(answer)',
    '',
    ...token,
    '',
    document === undefined
      ? `body = json.dumps(${json!}).encode()`
      : `body = open("${document}", "rb").read()`,
    `print(call(${JSON.stringify(ingestAddress(input))}, body, {`,
    '    "Authorization": f"Bearer {token}",',
    `    "Content-Type": "${type}",`,
    ...(document === undefined ? [] : [`    "Idempotency-Key": "${key}",`]),
    '}))',
  ].join('\n')
  return [{ label: 'whole', code }]
}

/** The body of a webhook: CSV where the source says so, else JSON. */
function webhookBody({ source, declaration, at }: QuickStartInput): {
  type: string
  body: string
  name: string
} {
  const row = exampleRow(declaration, at)
  return source.document_form === 'csv'
    ? { type: 'text/csv', body: writeCsv(row), name: 'body.csv' }
    : { type: 'application/json', body: `${JSON.stringify(row)}\n`, name: 'body.json' }
}

function shellWebhook(input: QuickStartInput): CodePart[] {
  const { type, body, name } = webhookBody(input)
  const code = [
    `id=${quoted(input.key)} t=$(date +%s)`,
    '# HMAC-SHA256 in two hashes: given to openssl, the secret would stand in the list of processes.',
    'key() { { printf %s "$NUMERA_SIGNING_SECRET"; head -c 64 /dev/zero; } | od -An -v -tu1 -N64; }',
    'pad() { for byte in $(key); do printf "\\\\$(printf %03o $((byte ^ $1)))"; done; }',
    `inner() { { pad 0x36; printf %s "$t.$id."; cat ${name}; } | openssl dgst -sha256 -binary; }`,
    'v1=$({ pad 0x5c; inner; } | openssl dgst -sha256 -r)',
    `curl -sS ${quoted(webhookAddress(input))} \\`,
    `  -H "Content-Type: ${type}" \\`,
    '  -H "Service-Delivery-Id: $id" \\',
    '  -H "Service-Signature: t=$t,v1=${v1%% *}" \\',
    `  --data-binary @${name}`,
  ].join('\n')
  return [
    {
      label: 'secret',
      code: 'read -rs NUMERA_SIGNING_SECRET && export NUMERA_SIGNING_SECRET',
    },
    heredoc(name, body),
    { label: 'sign', code },
  ]
}

function typescriptWebhook(input: QuickStartInput): CodePart[] {
  const { type, body } = webhookBody(input)
  const code = [
    "import { createHmac } from 'node:crypto'",
    '',
    `const id = ${JSON.stringify(input.key)}`,
    `const body = ${JSON.stringify(body)}`,
    'const t = Math.floor(Date.now() / 1000)',
    "const v1 = createHmac('sha256', process.env.NUMERA_SIGNING_SECRET)",
    '  .update(`${t}.${id}.${body}`)',
    "  .digest('hex')",
    `const receipt = await fetch(${JSON.stringify(webhookAddress(input))}, {`,
    "  method: 'POST',",
    '  headers: {',
    `    'content-type': '${type}',`,
    "    'service-delivery-id': id,",
    "    'service-signature': `t=${t},v1=${v1}`,",
    '  },',
    '  body,',
    '})',
    'console.log(receipt.status, await receipt.json())',
  ].join('\n')
  return [{ label: 'sign', code }]
}

function pythonWebhook(input: QuickStartInput): CodePart[] {
  const { type, body } = webhookBody(input)
  const code = [
    'import hashlib, hmac, os, time, urllib.request',
    '',
    `id = ${JSON.stringify(input.key)}`,
    `body = ${JSON.stringify(body)}.encode()`,
    't = int(time.time())',
    'secret = os.environ["NUMERA_SIGNING_SECRET"].encode()',
    'v1 = hmac.new(secret, f"{t}.{id}.".encode() + body, hashlib.sha256).hexdigest()',
    `request = urllib.request.Request(${JSON.stringify(webhookAddress(input))}, body, {`,
    `    "Content-Type": "${type}",`,
    '    "Service-Delivery-Id": id,',
    '    "Service-Signature": f"t={t},v1={v1}",',
    '})',
    'with urllib.request.urlopen(request) as receipt:',
    '    print(receipt.status, receipt.read().decode())',
  ].join('\n')
  return [{ label: 'sign', code }]
}

/** The languages that there is code in, for how a source delivers. */
export function codeLanguages(way: Source['delivery_way']): readonly CodeLanguage[] {
  return way === 'push' ? ['curl', 'typescript', 'python'] : ['shell', 'typescript', 'python']
}

/** What sends one row to the source, as it stands: nothing is to be filled in but the credential. */
export function quickStartCode(language: CodeLanguage, input: QuickStartInput): CodePart[] {
  const isPush = input.source.delivery_way === 'push'
  switch (language) {
    case 'typescript':
      return isPush ? typescriptPush(input) : typescriptWebhook(input)
    case 'python':
      return isPush ? pythonPush(input) : pythonWebhook(input)
    case 'curl':
    case 'shell':
      return isPush ? curlPush(input) : shellWebhook(input)
  }
}
