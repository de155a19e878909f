import { createHash, createHmac, randomUUID } from 'node:crypto'
import { sourceBody } from '../../testing/process/shop.ts'
import { createKnownDelivery } from './known-deliveries.ts'
import type { FuzzScene } from './fuzz-scene.ts'
import type { Entry } from '../deployment/ledger.ts'
import { mutateBytes, mutatePairs, mutateValue, pickNastyText } from './mutations.ts'
import type { Random } from '../random.ts'
import { createSmuggledRequest } from './create-smuggled-request.ts'

export interface FuzzRequest {
  kind: string
  bytes: Buffer
  method: string
  path: string
  /** Its framing may be broken. */
  isBroken: boolean
  /** Of a delivery that must be accepted. */
  entry?: Entry
  /** It has two Host headers. */
  hasTwoHosts?: boolean
}

const rows = [
  { at: '2026-01-05T12:00:00+01:00', amount: '12.50' },
  { at: '2026-01-06', amount: '-3' },
]
const documents = [
  'at,amount\n2026-01-05,12.50\n"2026-01-06",-3\n',
  'at;amount\r\n2026-01-05;1\r\n',
  '{"at":"2026-01-05","amount":1}\n{"at":"2026-01-06","amount":"2"}\n',
  '#FLAGGA 0\n#SIETYP 4\n#VER A 1 20260105 "Sale"\n{\n#TRANS 3010 {1 "2"} -100.00\n#TRANS 1510 {} 100.00\n}\n',
  JSON.stringify(rows),
]
const challenge = createHash('sha256').update('verifier').digest('base64url')
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

const { name: _name, system_kind: systemKind, ...declaration } = sourceBody()
const settings = () => ({
  name: sourceBody().name,
  system_kind: systemKind,
  channel: 'push',
  format: null,
})

/** Bodies of the console's operations, by the end of the path, or by method and end. */
const consoleBodies: Record<string, unknown> = {
  get sources() {
    return sourceBody()
  },
  get 'PUT {source_id}'() {
    return { ...settings(), ...declaration, expected_revision: 1 }
  },
  pause: { reason: 'moving' },
  connections: { name: 'c', permissions: ['metrics.read'], kind: 'production', credential_kind: 'static' },
  members: { personal_number: '191212121212', role: 'reader', label: 'l' },
  invitations: { role: 'reader', label: 'l' },
  show: { token: 'niv_x' },
  accept: { token: 'niv_x' },
  'demo-companies': { name: 'c' },
  sign: { language: 'sv' },
  rotate: { overlap_days: 1 },
  authorize: { query: '?client_id=x' },
}

/** A random client network. */
const createNetwork = (random: Random): string =>
  `${random.integer(1, 223)}.${random.integer(0, 255)}.${random.integer(0, 255)}.1`

const bearer = (credential: string): string => `Authorization: Bearer ${credential}`
const typed = (type: string): string => `Content-Type: ${type}`
/** Limited to the characters of headers and paths. */
const toOneLine = (text: string): string => text.replaceAll(/[^\u{20}-\u{7e}]/gu, '?')

export const createFuzzRequests = (scene: FuzzScene, random: Random): (() => FuzzRequest) => {
  let number = 0

  const build = (
    kind: string,
    [method, path]: [string, string],
    headers: string[],
    body?: Buffer | string,
    brokenShare = 0.03,
  ): FuzzRequest => {
    const bytes = Buffer.from(body ?? '')
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `X-Forwarded-For: ${createNetwork(random)}`,
      ...headers,
      ...(body === undefined ? [] : [`Content-Length: ${bytes.length}`]),
    ]
    const isBroken = random() < brokenShare
    let head: Buffer = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    if (isBroken) head = mutateBytes(random, head)
    return { kind: isBroken ? 'heads' : kind, bytes: Buffer.concat([head, bytes]), method, path, isBroken }
  }
  const knownDelivery = (): FuzzRequest => {
    const { entry, contentType, key } = createKnownDelivery(random, number++)
    const headers = [bearer(scene.known.credential), typed(contentType)]
    if (key !== undefined) headers.push(`Idempotency-Key: ${key}`)
    // Unbroken, so that its meaning is known.
    return { ...build('known deliveries', ['POST', '/v1/ingest'], headers, entry.body, 0), entry }
  }
  const envelope = (): FuzzRequest => {
    const whole = { idempotency_key: `fuzz:${number++}`, shape_version: 1, payload: rows }
    const value = random() < 0.5 ? mutateValue(random, whole) : whole
    const text = Buffer.from(JSON.stringify(value) ?? 'undefined')
    const body = random() < 0.5 ? mutateBytes(random, text) : text
    const path = random() < 0.8 ? '/v1/ingest' : `/v1/ingest?${query()}`
    const credential = random() < 0.7 ? scene.pushed.credential : scene.unbound
    return build('envelopes', ['POST', path], [bearer(credential), typed(json)], body)
  }
  const document = (): FuzzRequest => {
    const key = random() < 0.9 ? `document:${number++}` : toOneLine(pickNastyText(random))
    const headers = [
      bearer(scene.pushed.credential),
      typed('application/octet-stream'),
      `Idempotency-Key: ${key}`,
    ]
    const body = mutateBytes(random, Buffer.from(random.pick(documents)))
    return build('documents', ['POST', '/v1/ingest'], headers, body)
  }
  const webhook = (): FuzzRequest => {
    const id = random() < 0.9 ? `hook:${number++}` : toOneLine(pickNastyText(random))
    const body = mutateBytes(random, Buffer.from(random.pick(documents)))
    const t = Math.floor(Date.now() / 1_000)
    const { sourceId, signingSecret } = scene.webhook
    const v1 = createHmac('sha256', signingSecret!).update(`${t}.${id}.`).update(body).digest('hex')
    let signature = `t=${t},v1=${v1}`
    if (random() < 0.1) signature = toOneLine(mutateBytes(random, Buffer.from(signature)).toString('latin1'))
    const type = random() < 0.9 ? random.pick([json, 'text/csv']) : toOneLine(pickNastyText(random))
    const headers = [typed(type), `Service-Delivery-Id: ${id}`, `Service-Signature: ${signature}`]
    if (random() < 0.1) headers.push(`X-Service-Shape-Version: ${toOneLine(pickNastyText(random))}`)
    const source = random() < 0.95 ? sourceId : encodeURIComponent(pickNastyText(random).toWellFormed())
    return build('webhooks', ['POST', `/v1/webhooks/${source}`], headers, body)
  }
  const query = (): string =>
    mutatePairs(random, {
      from: '2026-01-01',
      to: '2026-03-01',
      source_id: scene.pushed.sourceId,
      orgnr: scene.orgnr,
      ...(random() < 0.3 ? { metric: 'revenue', as_of: '2026-02-01T00:00:00Z' } : {}),
      ...(random() < 0.2 ? { 'label.country': 'SE' } : {}),
    })
  const read = (): FuzzRequest => {
    const id = random() < 0.5 ? randomUUID() : encodeURIComponent(pickNastyText(random).toWellFormed())
    const path = random.pick([
      '/v1/samples',
      '/v1/samples/trace',
      '/v1/companies',
      '/v1/sources',
      `/v1/sources/${id}`,
      '/v1/deliveries',
      `/v1/deliveries/${id}`,
      '/health/ready',
      `/.well-known/oauth-protected-resource/${id}`,
      `/${id}`,
      '/.well-known/oauth-authorization-server',
    ])
    const credential = random() < 0.8 ? scene.unbound : toOneLine(pickNastyText(random))
    const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST'])
    const hasTwoHosts = random() < 0.02
    const headers = [bearer(credential), ...(hasTwoHosts ? ['Host: other.example'] : [])]
    const request = build('reads', [method, `${path}?${query()}`], headers)
    return { ...request, hasTwoHosts: hasTwoHosts && !request.isBroken }
  }
  const oauth = (): FuzzRequest => {
    const action = random.integer(0, 3)
    if (action === 0) {
      const fields = mutateValue(random, {
        client_name: 'Fuzz',
        redirect_uris: ['https://a.example/cb'],
        grant_types: ['authorization_code'],
      })
      return build(
        'registrations',
        ['POST', '/oauth/register'],
        [typed(json)],
        JSON.stringify(fields) ?? 'null',
      )
    }
    const { clientId: client_id } = scene
    if (action === 1) {
      const authorization = {
        response_type: 'code',
        client_id,
        redirect_uri: 'http://localhost:9/callback',
        state: 's',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        scope: 'metrics.read',
      }
      return build('authorize', ['GET', `/oauth/authorize?${mutatePairs(random, authorization)}`], [])
    }
    const grant = random.pick(['authorization_code', 'refresh_token', 'client_credentials'])
    const fields = {
      grant_type: grant,
      client_id,
      code: 'nac_x',
      redirect_uri: 'http://localhost:9/callback',
      code_verifier: 'verifier',
      refresh_token: 'nrt_x',
      token: 'nat_x',
    }
    const headers = [typed(form)]
    if (random() < 0.2)
      headers.push(`Authorization: Basic ${Buffer.from(pickNastyText(random)).toString('base64')}`)
    // More than the service reads of a head.
    if (random() < 0.02) headers.push(`X: ${'y'.repeat(20_000)}`)
    const path = action === 2 ? '/oauth/token' : '/oauth/revoke'
    return build('forms', ['POST', path], headers, mutatePairs(random, fields))
  }
  /** For the pages' reports and traces. */
  const reportQuery = (): string =>
    mutatePairs(random, {
      metric: 'revenue',
      period_start: '2026-01-01',
      grain: random.pick(['day', 'week', 'month']),
      from: '2026-01-01',
      to: '2026-03-01',
      by: 'country',
      'where.country': 'SE',
      'label.country': 'SE',
      'not.country': 'NO',
      compare: 'year',
      as_of: '2026-02-01T00:00:00Z',
      limit: '3',
    })
  /** A document that is pasted or dropped. */
  const example = (): object => {
    const bytes = mutateBytes(random, Buffer.from(random.pick(documents)))
    const format = random.pick([null, 'json', 'json_lines', 'csv', 'sie'])
    return random() < 0.5
      ? { format, text: bytes.toString() }
      : { format, content_base64: bytes.toString('base64') }
  }
  const consoleBody = (method: string, end: string): unknown => {
    if (end === 'example') return example()
    if (end === 'preview') return { declaration, example: random() < 0.7 ? example() : null }
    return consoleBodies[`${method} ${end}`] ?? consoleBodies[end] ?? {}
  }
  const onPages = (): FuzzRequest => {
    const { operations, ids, headers } = scene.console
    const { method, path } = random.pick(operations)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = random() < 0.8 ? ids[name] : undefined
      return id ?? (random() < 0.5 ? randomUUID() : encodeURIComponent(pickNastyText(random).toWellFormed()))
    })
    const search = random() < 0.5 ? `?${random() < 0.5 ? query() : reportQuery()}` : ''
    const full = `${filled}${search}`
    if (method === 'GET') return build('pages', [method, full], headers())
    const body = consoleBody(method, path.split('/').at(-1)!)
    const text = JSON.stringify(random() < 0.8 ? mutateValue(random, body) : body) ?? 'null'
    return build('pages', [method, full], [...headers(), typed(json)], text)
  }
  const raw = (): FuzzRequest => {
    const bytes = createSmuggledRequest(random, bearer(scene.pushed.credential))
    return { kind: 'smuggling', bytes, method: 'POST', path: '/v1/ingest', isBroken: true }
  }
  const kinds: [share: number, create: () => FuzzRequest][] = [
    [25, knownDelivery],
    [18, envelope],
    [12, document],
    [12, webhook],
    [13, read],
    [9, oauth],
    [9, onPages],
    [2, raw],
  ]
  return () => {
    let draw = random() * 100
    for (const [share, create] of kinds) if ((draw -= share) < 0) return create()
    return read()
  }
}
