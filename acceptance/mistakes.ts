import { createHmac } from 'node:crypto'
import { requestRegistration, authorization, registerApp } from '../testing/process/oauth-app.ts'
import { type Answer, call, type Call } from '../testing/process/call.ts'
import { waitUntilRead } from '../testing/process/numera-api.ts'
import { startService } from '../testing/process/start-service.ts'
import { openShop, sourceBody } from '../testing/process/shop.ts'

/** The error of an answer of any kind. */
export interface ErrorAnswer {
  status: number
  /** `code`, or OAuth's `error`; for a row refused after the 202, the code of its refusal. */
  code?: string
  field?: string
  message: string
  /** The rules of all errors that it breaks. */
  deviations: string[]
}

/** The characters that no `error_description` may have (RFC 6749, 5.2). */
const notInDescriptions = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

/** Reads the error of an API's answer, a redirect to an app, or a page of the service. */
const toErrorAnswer = (url: string, { status, body, headers, text }: Answer): ErrorAnswer => {
  const location = headers.get('location')
  const found = location === null ? body : Object.fromEntries(new URL(location).searchParams)
  if (found === undefined)
    return { status, message: /<p>(.*?)<\/p>/s.exec(text)?.[1] ?? text, deviations: [] }
  const { code, error, message = found.error_description, field } = found
  const help = `${url}/docs/errors#${code ?? error}`
  const isOauth = error !== undefined
  const members = isOauth
    ? ['error', 'error_description']
    : ['code', 'message', 'help', 'request_id', 'field']
  const rules: [name: string, holds: boolean][] = [
    ['Link', headers.get('link') === `<${help}>; rel="help"` || location !== null],
    ['Content-Type', headers.get('content-type') === 'application/json; charset=utf-8' || location !== null],
    ['help', isOauth || found.help === help],
    ['request_id', isOauth || found.request_id === headers.get('x-request-id')],
    ['members', Object.keys(found).every((name) => members.includes(name) || location !== null)],
    ['description', !isOauth || !notInDescriptions.test(message)],
  ]
  const deviations = rules.filter(([, holds]) => !holds).map(([name]) => name)
  return { status, code: code ?? error, field, message, deviations }
}

/** A service for a developer's first calls: a source of each kind, connections, and an app. */
export const startFirstHour = async () => {
  const service = await startService({
    environment: {
      NUMERA_TRUST_PROXY: '1',
      NUMERA_RATE_PER_MINUTE: '100000',
      NUMERA_RATE_BURST: '100000',
      NUMERA_OAUTH_RATE_BURST: '100000',
    },
  })
  const shop = await openShop(service)
  const { url } = shop
  const sourceId = await shop.createSource()
  const hooks = (
    await shop.browser.post(`${shop.pages}/sources`, sourceBody({ name: 'Hooks', channel: 'webhook' }))
  ).body
  const of = { source_id: sourceId }
  const both = await shop.connect(of)
  const client = await shop.connect({ credential_kind: 'client', ...of })
  const credentials = {
    both: both.credential,
    reader: (await shop.connect({ ...of, permissions: ['metrics.read'] })).credential,
    pusher: (await shop.connect({ ...of, permissions: ['sources.ingest'] })).credential,
    unbound: (await shop.connect()).credential,
    hooks: (await shop.connect({ source_id: hooks.source_id })).credential,
    unsigned: (await shop.createConnection(of)).credential,
  }
  const app = await registerApp(url, 'https://app.example/callback')

  let networks = 0
  /** Registrations are limited by network, so each call comes from another one. */
  const send = async (path: string, options: Call = {}): Promise<ErrorAnswer> => {
    const forwarded = { 'x-forwarded-for': `198.18.${++networks % 256}.1` }
    return toErrorAnswer(
      url,
      await call(`${url}${path}`, { ...options, headers: { ...forwarded, ...options.headers } }),
    )
  }
  const push = (body: unknown, headers: Record<string, string> = {}, credential = credentials.both) =>
    send('/v1/ingest', { method: 'POST', credential, headers, body })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const sendForm = (path: string, body: string, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body, headers: { ...form, ...headers } })

  let rows = 0
  /** Pushes one row, which is accepted. Gives the reason why parsing refused it. */
  const pushRow = async (row: object): Promise<ErrorAnswer> => {
    const key = `row-${++rows}`
    const body = { idempotency_key: key, shape_version: 1, payload: row }
    const { status, ...receipt } = await call(`${url}/v1/ingest`, {
      method: 'POST',
      credential: both.credential,
      body,
    })
    await waitUntilRead(url, both.credential, receipt.body.artifact_id)
    const report = await call(`${url}/v1/deliveries/${receipt.body.artifact_id}`, {
      credential: both.credential,
    })
    const [{ code, field, reason: message }] = report.body.refusals
    return { status, code, field, message, deviations: [] }
  }

  interface Hook {
    body?: string
    /** In place of what was signed. */
    sent?: string
    secret?: string
    t?: number
    /** Writes the header. */
    write?: (t: number, mac: Buffer) => string
    headers?: Record<string, string>
  }
  const deliver = ({ body = '{"at":"2026-01-15"}', secret = hooks.signing_secret, ...hook }: Hook = {}) => {
    const { t = Math.floor(Date.now() / 1_000), headers = {} } = hook
    const id = headers['service-delivery-id'] ?? 'order-1'
    const mac = createHmac('sha256', secret).update(`${t}.${id}.${body}`).digest()
    const write = hook.write ?? ((time: number, made: Buffer) => `t=${time},v1=${made.toString('hex')}`)
    return send(`/v1/webhooks/${hooks.source_id}`, {
      method: 'POST',
      body: hook.sent ?? body,
      headers: { 'service-delivery-id': id, 'service-signature': write(t, mac), ...headers },
    })
  }

  return {
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    url,
    sourceId,
    credentials,
    client,
    app,
    signingSecret: hooks.signing_secret as string,
    webhookAddress: `/v1/webhooks/${hooks.source_id}`,
    send,
    push,
    pushRow,
    /** A document, with a key unless the headers have `Idempotency-Key`. */
    pushDocument: (body: string | Uint8Array, headers: Record<string, string> = {}) =>
      push(body, { 'content-type': 'application/octet-stream', 'idempotency-key': 'document-1', ...headers }),
    read: (query = '', credential = credentials.both) => send(`/v1/samples${query}`, { credential }),
    authorized: (authorization: string) => send('/v1/samples', { headers: { authorization } }),
    deliver,
    token: (body: string, headers: Record<string, string> = {}) => sendForm('/oauth/token', body, headers),
    revoke: (body: string, headers: Record<string, string> = {}) => sendForm('/oauth/revoke', body, headers),
    register: async (fields: unknown, headers: Record<string, string> = {}) =>
      toErrorAnswer(
        url,
        await requestRegistration(url, fields, {
          'x-forwarded-for': `198.19.${++networks % 256}.1`,
          ...headers,
        }),
      ),
    authorize: async (parameters: Record<string, string | undefined>, more = '') =>
      toErrorAnswer(url, await call(`${authorization(url, app, parameters).url}${more}`)),
  }
}

export type FirstHour = Awaited<ReturnType<typeof startFirstHour>>
