import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  approve,
  type ConsoleClient,
  createConsoleClient,
  signIn,
} from '../testing/process/console-client.ts'
import { requestToken, call, delivery, errorOf, ingest } from '../testing/process/call.ts'
import { readSamples, waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { activeUsers, openShop, owner, revenue, type Shop, sourceBody } from '../testing/process/shop.ts'
import { saveSource } from '../testing/process/save-source.ts'

const developer = { personalNumber: '198112189876', name: 'Dag Utvecklare' }
const reader = { personalNumber: '197802022389', name: 'Lena Läsare' }
const stranger = { personalNumber: '199001012385', name: 'Frida Främling' }
const at = '2026-01-15T12:00:00+01:00'
const january = { from: '2026-01-01', to: '2026-02-01' }

let service: Service
let shop: Shop
beforeAll(async () => {
  service = await startService({
    environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  shop = await openShop(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const invite = async (person: { personalNumber: string }, role: string) =>
  shop.browser.post(`${shop.pages}/members`, { personal_number: person.personalNumber, role })

test('A member signs in, traces a sample, and ends the connection', async () => {
  const { browser, pages, url } = shop
  const session = await browser.get('/console/session')
  expect(session.body).toMatchObject({
    name: owner.name,
    identity: { provider: 'demo', demo: true },
    companies: [{ company_id: shop.company.companyId, role: 'owner', time_zone: 'Europe/Stockholm' }],
  })

  // A source. Later, version 2 counts differently.
  const made = await browser.post(`${pages}/sources`, sourceBody({ name: 'Till' }))
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ name: 'Till', shape_version: 1, delivers: 'events', state: 'active' })
  const sourceId: string = made.body.source_id

  // A connection with client credentials, which only its creator can sign.
  const { body: making } = await browser.post(`${pages}/connections`, {
    name: 'Web shop',
    source_id: sourceId,
    permissions: ['sources.ingest', 'metrics.read'],
    kind: 'production',
    credential_kind: 'client',
  })
  expect(making.credential).toBeUndefined()
  expect(making.connection).toMatchObject({ state: 'unsigned', expires_at: null, source: { name: 'Till' } })
  const connection = `${pages}/connections/${making.connection.connection_id}`
  const { body: wrongOrder } = await browser.post(`${connection}/sign`)
  expect(wrongOrder.visible_text).toContain('Till')
  expect(wrongOrder.visible_text).toContain('sources.ingest')
  await approve(url, wrongOrder.presentation.open_url, stranger)
  const refused = await browser.post(`${connection}/sign/${wrongOrder.order_id}/collect`)
  expect(refused.body).toMatchObject({ state: 'failed', reason: 'other_person' })
  expect((await browser.get(connection)).body.state).toBe('unsigned')

  const { body: order } = await browser.post(`${connection}/sign`)
  const pending = await browser.post(`${connection}/sign/${order.order_id}/collect`)
  expect(pending.body.state).toBe('pending')
  await approve(url, order.presentation.open_url, owner)
  const signed = await browser.post(`${connection}/sign/${order.order_id}/collect`)
  expect(signed.body).toMatchObject({ state: 'complete', connection: { state: 'signed' } })
  const again = await browser.post(`${connection}/sign/${order.order_id}/collect`)
  expect(again.body.state).toBe('completed_before')
  expect(again.text).not.toContain('ncs_')
  const clientId: string = signed.body.connection.client_id
  const secret: string = signed.body.secret
  const kept = await browser.get(`/console/signatures`)
  expect(kept.body.signatures[0]).toMatchObject({
    subject: `connection:${making.connection.connection_id}`,
    visible_text: order.visible_text,
    provider: 'demo',
  })

  // A token; a push; a read; a trace.
  const { body: token } = await requestToken(url, clientId, secret)
  const credential: string = token.access_token
  const receipt = await ingest(
    url,
    credential,
    delivery([
      { at, amount: '249.50', country: 'SE', customer: 'anna' },
      { at, amount: '100', country: 'NO', customer: 'bo' },
    ]),
  )
  await waitUntilRead(url, credential, receipt.body.artifact_id)
  expect((await readSamples(url, credential, january)).samples).toMatchObject([
    { value: '349.5', labels: {} },
  ])
  const trace = await call(`${url}/v1/samples/trace?metric=revenue&period_start=2026-01-15`, { credential })
  expect(trace.body).toMatchObject({
    value: '349.5',
    restated: false,
    deliveries: [{ artifact_id: receipt.body.artifact_id, value: '349.5', rows: 2, superseded: false }],
  })

  const path = `${pages}/sources/${sourceId}`
  const saved = await saveSource(browser, path, { metrics: [revenue({ group_by: ['country'] })] })
  expect(saved.body).toMatchObject({ source: { shape_version: 2 }, rebuilds: true })
  const stale = await saveSource(browser, path, { metrics: [revenue()], expected_revision: 1 })
  expect(errorOf(stale)).toMatchObject({ status: 409, code: 'conflict' })
  for (;;) {
    const values = (await readSamples(url, credential, january)).samples.map(({ value }) => value)
    if (values.length === 1) expect(values).toEqual(['349.5'])
    else {
      expect(values.toSorted()).toEqual(['100', '249.5'])
      break
    }
    await sleep(20)
  }

  // The end of it.
  const rotated = await browser.post(`${connection}/rotate`, {})
  expect(rotated.body.credential).toMatch(/^ncs_/)
  expect((await requestToken(url, clientId, rotated.body.credential)).status).toBe(200)
  expect((await browser.post(`${connection}/revoke`)).body.state).toBe('revoked')
  expect((await call(`${url}/v1/samples`, { credential })).status).toBe(401)
  expect((await requestToken(url, clientId, rotated.body.credential)).body.error).toBe('invalid_client')
  expect((await browser.post(`${connection}/rotate`, {})).status).toBe(409)
})

describe('A member', () => {
  let browsers: { developer: ConsoleClient; reader: ConsoleClient; stranger: ConsoleClient }
  beforeAll(async () => {
    expect((await invite(developer, 'developer')).status).toBe(201)
    expect((await invite(reader, 'reader')).status).toBe(201)
    browsers = {
      developer: await signIn(shop.url, developer),
      reader: await signIn(shop.url, reader),
      stranger: await signIn(shop.url, stranger),
    }
  })

  test('finds the company of an invitation at the next sign-in, with that role', async () => {
    for (const [role, browser] of Object.entries(browsers)) {
      const { body } = await browser.get('/console/session')
      expect(body.companies.map((company: { role: string }) => company.role)).toEqual(
        role === 'stranger' ? [] : [role],
      )
    }
    expect((await invite(developer, 'reader')).status).toBe(409)
    expect(errorOf(await invite({ personalNumber: '198112189875' }, 'reader'))).toMatchObject({
      status: 400,
      field: 'personal_number',
    })
  })

  test('may do only what the role allows; a stranger finds nothing', async () => {
    const sourceId = await shop.createSource()
    const { pages } = shop
    const actions: [
      name: string,
      act: (browser: ConsoleClient) => Promise<{ status: number }>,
      statuses: number[],
    ][] = [
      ['report', (b) => b.get(`${pages}/sources/${sourceId}/reports/revenue`), [200, 200, 404]],
      ['sources', (b) => b.get(`${pages}/sources`), [200, 200, 404]],
      ['pause', (b) => b.post(`${pages}/sources/${sourceId}/pause`), [204, 403, 404]],
      ['resume', (b) => b.post(`${pages}/sources/${sourceId}/resume`), [204, 403, 404]],
      ['source', (b) => b.post(`${pages}/sources`, sourceBody()), [201, 403, 404]],
      ['connections', (b) => b.get(`${pages}/connections`), [200, 403, 404]],
      ['deliveries', (b) => b.get(`${pages}/deliveries?source=${sourceId}`), [200, 403, 404]],
      ['refused calls', (b) => b.get(`${pages}/refused-calls`), [200, 403, 404]],
      ['members', (b) => b.get(`${pages}/members`), [403, 403, 404]],
      [
        'invite',
        (b) => b.post(`${pages}/members`, { personal_number: stranger.personalNumber, role: 'owner' }),
        [403, 403, 404],
      ],
    ]
    for (const [name, act, statuses] of actions) {
      const got = []
      for (const role of ['developer', 'reader', 'stranger'] as const)
        got.push((await act(browsers[role])).status)
      expect([name, ...got]).toEqual([name, ...statuses])
    }
  })

  test('signs only their own connections', async () => {
    const made = await shop.createConnection()
    const answer = await browsers.developer.post(`${shop.pages}/connections/${made.connectionId}/sign`)
    expect(errorOf(answer)).toEqual({ status: 403, code: 'permission_denied' })
  })

  test('who is removed loses access with the next call', async () => {
    const { body } = await shop.browser.get(`${shop.pages}/members`)
    const { member_id } = (await browsers.reader.get('/console/session')).body
    expect(body.members).toHaveLength(3)
    expect((await browsers.reader.get(`${shop.pages}/sources`)).status).toBe(200)
    expect((await shop.browser.delete(`${shop.pages}/members/${member_id}`)).status).toBe(204)
    expect((await browsers.reader.get(`${shop.pages}/sources`)).status).toBe(404)
  })

  test('who is the last owner cannot be removed', async () => {
    const { member_id } = (await shop.browser.get('/console/session')).body
    const answer = await shop.browser.delete(`${shop.pages}/members/${member_id}`)
    expect(errorOf(answer)).toMatchObject({ status: 409, code: 'conflict' })
  })
})

describe('The pages', () => {
  test('refuse writes from another site, and any that a form could send', async () => {
    const pause = `${shop.pages}/sources/${await shop.createSource()}/pause`
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(errorOf(await shop.browser.post(pause, {}, headers))).toEqual({
        status: 403,
        code: 'permission_denied',
      })
    }
    const form = await shop.browser.post(pause, {}, { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form.status).toBe(415)
    expect((await shop.browser.post(pause)).status).toBe(204)
  })

  test('open nothing without a session, nor after signing out', async () => {
    const stranger = createConsoleClient(shop.url)
    expect(errorOf(await stranger.get(`${shop.pages}/sources`))).toEqual({
      status: 401,
      code: 'unauthenticated',
    })
    const browser = await signIn(shop.url, owner)
    expect((await browser.post('/console/sign-out')).status).toBe(204)
    expect((await browser.get('/console/session')).status).toBe(401)
  })

  test('open nothing to a bearer token', async () => {
    const { credential } = await shop.connect()
    expect((await call(`${shop.url}/console/session`, { credential })).status).toBe(401)
  })

  test.each([
    [
      'a label that is personal',
      { metrics: [revenue({ group_by: ['customer'] })] },
      'metrics[0].group_by[0]',
    ],
    ['an unknown metric', { metrics: [revenue({ metric: 'profit' })] }, 'metrics[0].metric'],
    ['a metric twice', { metrics: [revenue(), revenue({ period: 'month' })] }, 'metrics[1].metric'],
    ['a field that is not declared', { metrics: [revenue({ field: 'price' })] }, 'metrics[0].field'],
    ['an event time that is no timestamp', { event_time: 'amount' }, 'event_time'],
    ['no fields', { fields: [] }, 'fields'],
  ])('refuse a declaration with %s, and name the place', async (_name, options, field) => {
    const answer = await shop.browser.post(`${shop.pages}/sources`, sourceBody(options))
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_argument', field })
  })
})

describe('Reads other than samples', () => {
  test('filters by metric and label, sources, deliveries with their refusals, and the trace of a cell', async () => {
    const { url } = shop
    const sourceId = await shop.createSource({
      name: 'Filtered',
      metrics: [revenue({ group_by: ['country'] }), activeUsers()],
    })
    const { credential } = await shop.connect({ source_id: sourceId })
    const first = await ingest(
      url,
      credential,
      delivery([
        { at, amount: '10', country: 'SE', customer: 'anna' },
        { at: '2026-01-15', amount: '20', country: 'NO', customer: 'bo' },
        { at: '2026-01-15T12:00:00', amount: '40', country: 'SE', customer: 'cai' },
        { at, amount: '1 000', country: 'SE', customer: 'secret-name' },
        { amount: '1' },
        { at: '2026-02-30', amount: '1' },
        { at, amount: { value: '1' } },
      ]),
    )
    expect(await waitUntilRead(url, credential, first.body.artifact_id)).toEqual({
      artifact_id: first.body.artifact_id,
      source_id: sourceId,
      state: 'parsed',
      reason: null,
      received_at: expect.stringMatching(/Z$/),
      shape_version: 1,
      delivers: 'events',
      sandbox: false,
      dropped_keys: [],
      rows_accepted: 2,
      rows_refused: 5,
      rows_date_alone: 1,
      missing_values: [],
      rows_far_ahead: 0,
      far_ahead: [],
      refusals: [
        { row: 3, field: 'at', code: 'timestamp_no_offset', reason: expect.any(String) },
        { row: 4, field: 'amount', code: 'number_malformed', reason: expect.any(String) },
        { row: 5, field: 'at', code: 'event_time_missing', reason: expect.any(String) },
        { row: 6, field: 'at', code: 'timestamp_no_such_day', reason: expect.any(String) },
        { row: 7, field: 'amount', code: 'value_not_plain', reason: expect.any(String) },
      ],
    })
    const correction = await ingest(url, credential, delivery([{ at, amount: '-4', country: 'SE' }]))
    await waitUntilRead(url, credential, correction.body.artifact_id)

    const values = async (query: Record<string, string>) =>
      (await readSamples(url, credential, { ...january, ...query })).samples.map(
        ({ metric, labels, value }) => [metric, labels['country'], value],
      )
    expect(await values({})).toEqual([
      ['active_users', undefined, '2'],
      ['revenue', 'NO', '20'],
      ['revenue', 'SE', '6'],
    ])
    expect(await values({ metric: 'active_users' })).toEqual([['active_users', undefined, '2']])
    expect(await values({ 'label.country': 'SE' })).toEqual([['revenue', 'SE', '6']])
    expect(await values({ metric: 'revenue', 'label.country': 'DK' })).toEqual([])

    const trace = await call(
      `${url}/v1/samples/trace?metric=revenue&period_start=2026-01-15&label.country=SE`,
      { credential },
    )
    expect(trace.body).toMatchObject({
      source_id: sourceId,
      labels: { country: 'SE' },
      value: '6',
      owner_artifact_id: null,
      deliveries: [
        { artifact_id: correction.body.artifact_id, value: '-4', rows: 1 },
        { artifact_id: first.body.artifact_id, value: '10', rows: 1 },
      ],
      next_cursor: null,
    })
    const sources = await call(`${url}/v1/sources`, { credential })
    expect(sources.body).toEqual({
      sources: [
        { source_id: sourceId, name: 'Filtered', delivers: 'events', shape_version: 1, paused: false },
      ],
      next_cursor: null,
    })

    const shown = await shop.browser.get(`${shop.pages}/deliveries/${first.body.artifact_id}`)
    expect(shown.body).toMatchObject({ rows_refused: 5, rows_date_alone: 1 })
    expect(shown.body.refusals).toHaveLength(5)
    expect(shown.text).not.toContain('secret-name')
    const last = await shop.browser.get(`${shop.pages}/last-deliveries`)
    expect(
      last.body.deliveries.find((entry: { source_id: string }) => entry.source_id === sourceId),
    ).toMatchObject({ artifact_id: correction.body.artifact_id, rows_refused: 0 })
  })
})
