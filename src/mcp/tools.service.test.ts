import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import {
  Client,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeEach, expect, test } from 'vitest'
import { seedAppToken, seedConnection, seedSource } from '../../testing/in-process/seed.ts'
import { startDelegatedScene } from '../../testing/in-process/scenes/delegated-scene.ts'
import { storeDelivery, type StoreOptions } from '../../testing/in-process/store-delivery.ts'
import { withPlainTexts } from './plain-text.ts'

const scene = await startDelegatedScene()
const { database, context, app, worker, allow, call } = scene
const url = new URL('/mcp', await app.listen({ host: '127.0.0.1', port: 0 }))
const tools = `${context.config.baseUrl}/mcp`

const challenge = (path: string) =>
  `Bearer resource_metadata="${context.config.baseUrl}/.well-known/oauth-protected-resource${path}", error="invalid_token"`

beforeEach(() => database.pool.query('delete from rate_buckets'))

const countRateBuckets = async (): Promise<number> =>
  (await database.pool.query('select from rate_buckets')).rowCount!

const deliver = async (rows: object[], options: StoreOptions = {}): Promise<string> => {
  const at = { companyId: scene.bakery.company.companyId, sourceId: scene.shop.sourceId }
  const { artifactId } = await storeDelivery(database.pool, at, rows, options)
  await worker.drain()
  return artifactId
}

const connectService = async (kind: 'production' | 'sandbox' = 'production'): Promise<string> => {
  const { company, owner } = scene.bakery
  return (await seedConnection(context, { company, owner, source: scene.shop, kind })).credential!
}

const toOptions = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

const connect = async (token: string): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StreamableHTTPClientTransport(url, toOptions(token)))
  return client
}

/** What the tests read of answers and errors; all else is matched. */
interface Answer {
  code: string
  message: string
  page: string
  company: string
  companies: object[]
  sources: { source_id: string }[]
  series: object[]
  periods: { start: string; value: string | null }[]
}

/** The structured answer of a tool, or the error that it gave. */
const use = async (client: Client, name: string, given: Record<string, unknown> = {}): Promise<Answer> => {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: given })
  return isError === true
    ? JSON.parse((content[0] as { text: string }).text)
    : (structuredContent as unknown as Answer)
}

test('a client of the revision of 2026 lists every tool, each read-only, and calls it with a service connection', async () => {
  const artifactId = await deliver([
    { at: '2026-03-01', amount: '1249.50', country: 'SE' },
    { at: '2026-03-02', amount: '0.1', country: 'NO' },
    { at: '2026-02-01', amount: '1000', country: 'SE' },
  ])
  const client = await connect(await connectService())
  const { tools: listed } = await client.listTools()
  expect(listed.map(({ name }) => name)).toEqual([
    'list_companies',
    'list_sources',
    'read_metric',
    'compare_periods',
    'trace_value',
    'explain_delivery',
  ])
  for (const { annotations, inputSchema, outputSchema } of listed) {
    expect(annotations).toMatchObject({ readOnlyHint: true })
    expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object'])
  }
  const { companyId } = scene.bakery.company
  expect((await use(client, 'list_companies')).companies).toMatchObject([
    { name: 'Bageriet AB', time_zone: 'Europe/Stockholm' },
  ])
  expect((await use(client, 'list_sources')).sources).toMatchObject([
    { source_id: scene.shop.sourceId, metrics: [{ metric: 'revenue', labels: ['country'], adds_up: true }] },
  ])
  const month = await use(client, 'read_metric', {
    metric: 'revenue',
    by: 'month',
    from: '2026-02-01',
    split_by: 'country',
  })
  expect(month).toMatchObject({
    total: '2249.6',
    time_zone: 'Europe/Stockholm',
    as_of: '2026-03-15T12:00:00.000Z',
    periods: [
      { start: '2026-02-01', value: '1000', finished: true, restated: false },
      { start: '2026-03-01', value: '1249.6', finished: false },
    ],
    series: [
      { label_value: 'SE', values: ['1000', '1249.5'] },
      { label_value: 'NO', values: [null, '0.1'] },
    ],
  })
  expect(month.page).toContain(`/companies/${companyId}/reports/${scene.shop.sourceId}/revenue?grain=month`)
  const march = { from: '2026-03-01', to: '2026-04-01', earlier_from: '2026-02-01', earlier_to: '2026-03-01' }
  expect(await use(client, 'compare_periods', { metric: 'revenue', ...march })).toMatchObject({
    range: { value: '1249.6', finished: false },
    earlier: { value: '1000', finished: true },
    difference: '249.6',
  })
  const traced = await use(client, 'trace_value', {
    metric: 'revenue',
    by: 'month',
    period_start: '2026-03-01',
  })
  expect(traced).toMatchObject({ value: '1249.6', deliveries: [{ delivery_id: artifactId, rows: 2 }] })
  expect(await use(client, 'explain_delivery', { delivery_id: artifactId })).toMatchObject({
    state: 'parsed',
    rows_accepted: 3,
    rows_refused: 0,
  })
})

test('a client of 2025 connects by the handshake of its revision, and reads', async () => {
  await deliver([{ at: '2026-03-01', amount: '5', country: 'SE' }])
  const client = new EarlierClient({ name: 'test', version: '1' })
  await client.connect(new EarlierTransport(url, toOptions(await connectService())) as never)
  expect((await client.listTools()).tools).toHaveLength(6)
  const answer = await client.callTool({
    name: 'read_metric',
    arguments: { metric: 'revenue', from: '2026-03-01' },
  })
  expect(answer.structuredContent).toMatchObject({ total: '5' })
  await client.close()
})

test('read_metric gives the figures of GET /v1/samples', async () => {
  const token = await connectService()
  await deliver([
    { at: '2026-03-01', amount: '12345678901234567890.123456789', country: 'SE' },
    { at: '2026-03-03', amount: '-0.000000000000000001', country: 'SE' },
  ])
  const { body } = await call(token, '/v1/samples?from=2026-03-01&to=2026-03-04')
  const read = await use(await connect(token), 'read_metric', {
    metric: 'revenue',
    from: '2026-03-01',
    to: '2026-03-04',
  })
  const shown = read.periods.flatMap(({ start, value }) => (value === null ? [] : [[start, value]]))
  expect(shown.toReversed()).toEqual(
    body.samples.map((sample: { period_start: string; value: string }) => [
      sample.period_start,
      sample.value,
    ]),
  )
})

test('an answer of more than 400 values is refused, and says how to ask for less', async () => {
  const client = await connect(await connectService())
  const refused = await use(client, 'read_metric', {
    metric: 'revenue',
    by: 'day',
    from: '2025-01-01',
    to: '2026-03-01',
  })
  expect(refused).toMatchObject({ code: 'invalid_argument', field: 'from' })
  expect(refused.message).toContain('longer periods with by')
})

test('a statement given twice is said to be restated, and as of an earlier instant it is as it was', async () => {
  const { companyId, orgnr } = scene.cafe.company
  const { sourceId } = await seedSource(context, companyId, { delivers: 'statements' })
  for (const [amount, receivedAt] of [
    ['1', '2026-03-10T00:00:00Z'],
    ['3', '2026-03-12T00:00:00Z'],
  ] as const) {
    const rows = [{ at: '2026-03-01', amount }]
    await storeDelivery(database.pool, { companyId, sourceId }, rows, { receivedAt })
    await worker.drain()
  }
  const client = await connect((await allow([scene.cafe])).token)
  const asked = { orgnr, source_id: sourceId, metric: 'revenue', from: '2026-03-01', to: '2026-03-02' }
  expect((await use(client, 'read_metric', asked)).periods).toMatchObject([{ value: '3', restated: true }])
  expect(await use(client, 'read_metric', { ...asked, as_of: '2026-03-11T00:00:00Z' })).toMatchObject({
    as_of: '2026-03-11T00:00:00.000Z',
    periods: [{ value: '1', restated: false }],
  })
})

test('an unknown tool and an unknown parameter get the errors of the library', async () => {
  const client = await connect(await connectService())
  await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow(/drop_tables/)
  const { isError, content } = await client.callTool({ name: 'list_companies', arguments: { all: 'yes' } })
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('Invalid arguments')])
})

test('tokens for the service and for the tools are taken; others, and these elsewhere, are 401', async () => {
  const connection = await allow()
  const tokenFor = async (resources: string[]) =>
    (await seedAppToken(context, connection, { resources })).accessToken
  const read = async (resources: string[], method: 'GET' | 'POST', address: string) => {
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    }
    const answer = await app.inject({
      method,
      url: address,
      headers: { ...headers, authorization: `Bearer ${await tokenFor(resources)}` },
      ...(method === 'POST' ? { payload } : {}),
    })
    return [answer.statusCode, answer.headers['www-authenticate']]
  }
  expect(await read([], 'POST', '/mcp')).toEqual([200, undefined])
  expect(await read([tools], 'POST', '/mcp')).toEqual([200, undefined])
  expect(await read(['https://other.example.net/mcp'], 'POST', '/mcp')).toEqual([401, challenge('/mcp')])
  expect(await read(['https://other.example.net/mcp'], 'GET', '/v1/samples')).toEqual([200, undefined])
  expect(await read([tools], 'GET', '/v1/samples')).toEqual([401, challenge('/v1/samples')])
})

test('without a token the challenge names the metadata of the address', async () => {
  const { statusCode, headers } = await app.inject({ method: 'POST', url: '/mcp' })
  const document = `${context.config.baseUrl}/.well-known/oauth-protected-resource/mcp`
  expect([statusCode, headers['www-authenticate']]).toEqual([401, `Bearer resource_metadata="${document}"`])
  const { pathname } = new URL(document)
  expect((await app.inject(pathname)).json()).toMatchObject({
    resource: tools,
    authorization_servers: [context.config.baseUrl],
  })
})

test('a company that the member left is the 404 of every other read, as an error of the tool', async () => {
  const { token } = await allow([scene.bakery, scene.cafe])
  const client = await connect(token)
  const { orgnr } = scene.cafe.company
  expect((await use(client, 'list_sources', { orgnr })).company).toBe('Kaféet AB')
  await scene.leave(scene.cafe)
  const { body } = await call(token, `/v1/sources?orgnr=${orgnr}`)
  const { code, message } = await use(client, 'list_sources', { orgnr })
  expect([code, message]).toEqual(['not_found', body.message])
})

test('a token that is withdrawn before its body arrives reads nothing', async () => {
  const { token } = await allow()
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const request = httpRequest(url, { method: 'POST', headers })
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  request.write('{"jsonrpc":"2.0","id":1,"method":"tools/call",')
  await expect.poll(countRateBuckets).toBe(1)
  await database.pool.query('delete from app_tokens')
  context.clock.advance(1_000)
  request.end('"params":{"name":"list_sources","arguments":{}}}')
  const [response] = await answered
  expect(await readText(response)).toContain('unauthenticated')
})

test('a request takes one call of the rate, and is recorded as a call of the app about its company', async () => {
  const connection = await allow()
  const payload = { name: 'list_sources', arguments: {} }
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      authorization: `Bearer ${connection.token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: payload }),
  })
  const limit = context.config.rates.connection.burst
  expect(answer.headers).toMatchObject({ 'ratelimit-remaining': String(limit - 1) })
  const findCall = async () =>
    (
      await database.pool.query('select company_id, path, status from app_calls where connection_id = $1', [
        connection.connectionId,
      ])
    ).rows
  await expect
    .poll(findCall, { timeout: 5_000 })
    .toEqual([{ company_id: scene.bakery.company.companyId, path: '/mcp', status: 200 }])
})

test('a sandbox connection reads no production figures', async () => {
  await deliver([{ at: '2026-03-01', amount: '5', country: 'SE' }])
  const client = await connect(await connectService('sandbox'))
  expect(await use(client, 'read_metric', { metric: 'revenue' })).toMatchObject({ code: 'permission_denied' })
})

test('labels come out without marks that steer a reader, and bounded', async () => {
  await deliver([{ at: '2026-03-01', amount: '5', country: '\u202ESE\u200B\u0007' }])
  const client = await connect(await connectService())
  const { series } = await use(client, 'read_metric', {
    metric: 'revenue',
    from: '2026-03-01',
    split_by: 'country',
  })
  expect(series).toMatchObject([{ label_value: 'SE', values: expect.arrayContaining(['5']) }])
  const long = withPlainTexts({ label: 'x'.repeat(100_000), page: 'https://a.example/' })
  expect(long).toEqual({ label: `${'x'.repeat(299)}…`, page: 'https://a.example/' })
})

test('a page of another origin, a list of messages, and a subscription are refused', async () => {
  const token = await connectService()
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      payload: JSON.stringify(body),
    })
    return answer
  }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect((await post(ping, { origin: 'https://evil.example' })).statusCode).toBe(403)
  expect((await post(ping)).statusCode).toBe(200)
  expect((await post([ping, ping])).statusCode).toBe(400)
  const revision = '2026-07-28'
  const meta = {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: { name: 'test', version: '1' },
    [CLIENT_CAPABILITIES_META_KEY]: {},
  }
  const method = 'subscriptions/listen'
  const listen = await post(
    { ...ping, method, params: { _meta: meta, notifications: { toolsListChanged: true } } },
    { 'mcp-protocol-version': revision, 'mcp-method': method },
  )
  expect(listen.json()).toMatchObject({ error: { message: 'Subscription limit reached' } })
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/mcp',
    headers: { origin: 'https://evil.example' },
  })
  expect(preflight.headers['access-control-allow-origin']).toBe(undefined)
})
