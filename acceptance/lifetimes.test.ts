import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  advance,
  type Answer,
  requestToken,
  call,
  delivery,
  errorOf,
  ingest,
  setClock,
} from '../testing/process/call.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { type Connection, openShop, type Shop } from '../testing/process/shop.ts'
import { untilRefused } from './until-refused.ts'

const at = '2026-01-15T12:00:00+01:00'
const minute = 60
const hour = 60 * minute
const day = 24 * hour

let service: Service
let shop: Shop
let sourceId: string
beforeAll(async () => {
  // The rates are those of the specification.
  service = await startService()
  shop = await openShop(service)
})
beforeEach(async () => {
  // The previous test may have moved the clock beyond the session's end.
  await shop.signInAgain()
  sourceId ??= await shop.createSource()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const now = async (): Promise<number> => Date.parse((await call(`${shop.url}/test/clock`)).body.now)
const read = (credential: string): Promise<Answer> => call(`${shop.url}/v1/samples`, { credential })
const readStatus = async (credential: string): Promise<number> => (await read(credential)).status
const show = async ({ connectionId }: Connection) =>
  (await shop.browser.get(`${shop.pages}/connections/${connectionId}`)).body
const rotate = async ({ connectionId }: Connection, body: object = {}): Promise<string> =>
  (await shop.browser.post(`${shop.pages}/connections/${connectionId}/rotate`, body)).body.credential
const client = () => shop.connect({ source_id: sourceId, credential_kind: 'client' })
const connectStatic = () => shop.connect({ source_id: sourceId })
const toRate = ({ headers }: Answer): number[] =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))
const fetchToken = async ({ clientId, secret }: Connection): Promise<string> =>
  (await requestToken(shop.url, clientId, secret)).body.access_token

describe('An access token', () => {
  test('lasts one hour, as its answer says', async () => {
    const connection = await client()
    const answer = await requestToken(shop.url, connection.clientId, connection.secret)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      access_token: expect.stringMatching(/^nat_\w{43}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const token = answer.body.access_token
    expect(await readStatus(token)).toBe(200)
    await advance(shop.url, hour - 5)
    expect(await readStatus(token)).toBe(200)
    await advance(shop.url, 6)
    expect(errorOf(await read(token))).toEqual({ status: 401, code: 'unauthenticated' })
    // A new token of the same secret works.
    expect(await readStatus(await fetchToken(connection))).toBe(200)
  })

  test('ends with its connection if that is sooner', async () => {
    const connection = await client()
    const { expires_at } = await show(connection)
    await setClock(shop.url, new Date(Date.parse(expires_at) - 90_000).toISOString())
    const answer = await requestToken(shop.url, connection.clientId, connection.secret)
    expect(answer.body.expires_in).toBeGreaterThanOrEqual(80)
    expect(answer.body.expires_in).toBeLessThanOrEqual(90)
    expect(await readStatus(answer.body.access_token)).toBe(200)
    await advance(shop.url, 91)
    expect(await readStatus(answer.body.access_token)).toBe(401)
    const late = await requestToken(shop.url, connection.clientId, connection.secret)
    expect([late.status, late.body.error]).toEqual([401, 'invalid_client'])
  })
})

describe('A connection', () => {
  test('opens nothing until it is signed', async () => {
    const made = await shop.createConnection({ source_id: sourceId })
    expect((await show(made)).state).toBe('unsigned')
    expect(errorOf(await read(made.credential))).toEqual({ status: 401, code: 'unauthenticated' })
    expect(await readStatus(made.credential)).toBe(401)
    await shop.sign(made.connectionId)
    expect(await readStatus(made.credential)).toBe(200)
  })

  test('with client credentials has no secret until it is signed', async () => {
    const made = await shop.createConnection({ source_id: sourceId, credential_kind: 'client' })
    const early = await requestToken(shop.url, made.clientId, 'ncs_none')
    expect([early.status, early.body.error]).toEqual([401, 'invalid_client'])
    const secret = await shop.sign(made.connectionId)
    expect(secret).toMatch(/^ncs_\w{43}$/)
    expect((await requestToken(shop.url, made.clientId, secret)).status).toBe(200)
    // The secret is only for the token endpoint.
    expect(await readStatus(secret)).toBe(401)
  })

  test('lasts one year from its signature', async () => {
    const made = await shop.createConnection({ source_id: sourceId })
    await advance(shop.url, 10 * hour)
    await shop.signInAgain()
    await shop.sign(made.connectionId)
    const signedMs = await now()
    const { expires_at, signed_at, state } = await show(made)
    expect(state).toBe('signed')
    expect(Math.abs(Date.parse(signed_at) - signedMs)).toBeLessThan(10_000)
    const days = (Date.parse(expires_at) - Date.parse(signed_at)) / (day * 1_000)
    expect(days).toBeGreaterThan(364)
    expect(days).toBeLessThan(367.1)
    await setClock(shop.url, new Date(Date.parse(expires_at) - 5_000).toISOString())
    expect(await readStatus(made.credential)).toBe(200)
    await advance(shop.url, 5)
    expect(errorOf(await read(made.credential))).toEqual({ status: 401, code: 'unauthenticated' })
    await shop.signInAgain()
    expect((await show(made)).state).toBe('expired')
  })

  test('ends with its tokens at the next call after a revocation', async () => {
    const [withSecret, withStatic] = [await client(), await connectStatic()]
    const token = await fetchToken(withSecret)
    expect([await readStatus(token), await readStatus(withStatic.credential)]).toEqual([200, 200])
    for (const { connectionId } of [withSecret, withStatic]) {
      await shop.browser.post(`${shop.pages}/connections/${connectionId}/revoke`)
    }
    expect([await readStatus(token), await readStatus(withStatic.credential)]).toEqual([401, 401])
    const late = await requestToken(shop.url, withSecret.clientId, withSecret.secret)
    expect([late.status, late.body.error]).toEqual([401, 'invalid_client'])
  })
})

describe('A rotation', () => {
  test('of a static credential: the new one works immediately, the old one for 24 hours', async () => {
    const connection = await connectStatic()
    const before = (await show(connection)).expires_at
    const fresh = await rotate(connection)
    expect(fresh).toMatch(/^nsk_\w{43}$/)
    expect((await show(connection)).expires_at).toBe(before)
    expect([await readStatus(connection.credential), await readStatus(fresh)]).toEqual([200, 200])
    await advance(shop.url, day - 5)
    expect(await readStatus(connection.credential)).toBe(200)
    await advance(shop.url, 6)
    expect([await readStatus(connection.credential), await readStatus(fresh)]).toEqual([401, 200])
  })

  test('of a secret: the new one works immediately, the old one for 24 hours', async () => {
    const connection = await client()
    const fresh = await rotate(connection)
    expect(fresh).toMatch(/^ncs_\w{43}$/)
    const tokenStatus = async (secret: string) =>
      (await requestToken(shop.url, connection.clientId, secret)).status
    expect([await tokenStatus(connection.secret), await tokenStatus(fresh)]).toEqual([200, 200])
    await advance(shop.url, day - 5)
    expect(await tokenStatus(connection.secret)).toBe(200)
    await advance(shop.url, 6)
    expect([await tokenStatus(connection.secret), await tokenStatus(fresh)]).toEqual([401, 200])
  })

  test('a second time ends the oldest immediately', async () => {
    const connection = await connectStatic()
    const second = await rotate(connection)
    const third = await rotate(connection)
    expect([
      await readStatus(connection.credential),
      await readStatus(second),
      await readStatus(third),
    ]).toEqual([401, 200, 200])
  })

  test('without an overlap ends the old one immediately; a week is the longest', async () => {
    const connection = await connectStatic()
    const second = await rotate(connection, { overlap_hours: 0 })
    expect([await readStatus(connection.credential), await readStatus(second)]).toEqual([401, 200])
    const third = await rotate(connection, { overlap_hours: 168 })
    await advance(shop.url, 7 * day - 5)
    expect([await readStatus(second), await readStatus(third)]).toEqual([200, 200])
    await advance(shop.url, 6)
    expect(await readStatus(second)).toBe(401)
    const wrong = await shop.browser.post(`${shop.pages}/connections/${connection.connectionId}/rotate`, {
      overlap_hours: 169,
    })
    // The session is of before the week.
    expect([400, 401]).toContain(wrong.status)
  })
})

describe('A connection’s rate', () => {
  test('is a burst of twenty and then one a second for reads and pushes together, with exact headers', async () => {
    // The calls are sent together, so that hardly any real time passes between them.
    const sendTwenty = async (): Promise<{ credential: string; answers: Answer[] }> => {
      const { credential } = await connectStatic()
      const calls = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? read(credential) : ingest(shop.url, credential, delivery([{ at, amount: '1' }])),
      )
      return { credential, answers: await Promise.all(calls) }
    }
    // If the last one counts as a millisecond before the first, its token is missing, but not three times in a row.
    let { credential, answers } = await sendTwenty()
    for (let tries = 1; tries < 3 && answers.some(({ status }) => status === 429); tries++) {
      ;({ credential, answers } = await sendTwenty())
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10)
    const left = answers.map(toRate)
    expect(new Set(left.map(([limit]) => limit))).toEqual(new Set([60]))
    expect(Math.max(...left.map(([, remaining]) => remaining!))).toBe(19)
    for (const [, remaining, reset] of left) expect(reset! - (20 - remaining!)).toBeLessThanOrEqual(0)

    // Each second refills one, so on a slow machine a few more pass before the first refusal.
    let late = await read(credential)
    for (let index = 0; index < 100 && late.status === 200; index++) late = await read(credential)
    expect(errorOf(late)).toEqual({ status: 429, code: 'rate_limited' })
    expect(late.headers.get('retry-after')).toBe('1')
    expect(toRate(late)[1]).toBe(0)
    expect([19, 20]).toContain(toRate(late)[2])

    await advance(shop.url, 1)
    expect(await readStatus(credential)).toBe(200)
    await advance(shop.url, 60)
    expect(toRate(await read(credential))).toEqual([60, 19, 1])
    // Another connection has a bucket of its own; calls without a valid credential count nowhere.
    const other = await connectStatic()
    expect(toRate(await read(other.credential))).toEqual([60, 19, 1])
  })

  test('is shared by a connection’s tokens', async () => {
    const connection = await client()
    const [first, second] = [await fetchToken(connection), await fetchToken(connection)]
    const before = await read(first)
    const after = await read(second)
    expect(before.headers.get('ratelimit-remaining')).toBe('19')
    expect(['18', '19']).toContain(after.headers.get('ratelimit-remaining'))
    const { passed, refused, seconds } = await untilRefused(22, (index) => read(index % 2 ? first : second))
    expect(passed.length).toBeLessThanOrEqual(20 + seconds)
    expect(refused.length).toBeGreaterThan(0)
  })
})

test('A person who keeps working is signed in for twelve hours', async () => {
  const { body } = await shop.browser.get('/console/session')
  expect(Math.abs(Date.parse(body.expires_at) - (await now()) - 12 * hour * 1_000)).toBeLessThan(30_000)
  for (let halfHour = 0; halfHour < 23; halfHour++) {
    await advance(shop.url, hour / 2)
    expect((await shop.browser.get('/console/session')).status).toBe(200)
  }
  await advance(shop.url, hour / 2 - 20)
  expect((await shop.browser.get('/console/session')).status).toBe(200)
  await advance(shop.url, 21)
  expect(errorOf(await shop.browser.get('/console/session'))).toEqual({
    status: 401,
    code: 'unauthenticated',
  })
})

test('A person who is inactive for an hour is signed out', async () => {
  await advance(shop.url, hour - 60)
  expect((await shop.browser.get('/console/session')).status).toBe(200)
  await advance(shop.url, hour + 60)
  expect((await shop.browser.get('/console/session')).status).toBe(401)
})

test('Today is the company’s day, in any other time zone too', async () => {
  const year = new Date(await now()).getUTCFullYear() + 1
  await setClock(shop.url, `${year}-01-01T22:59:50Z`)
  await shop.signInAgain()
  const connection = await connectStatic()
  expect((await read(connection.credential)).body.window.to).toBe(`${year}-01-02`)
  await advance(shop.url, 15)
  expect((await read(connection.credential)).body.window.to).toBe(`${year}-01-03`)
})

test('The instants of receiving and pausing are of one clock', async () => {
  const connection = await connectStatic()
  const sent = await ingest(shop.url, connection.credential, delivery([{ at, amount: '1' }]))
  const { body } = await call(`${shop.url}/v1/deliveries/${sent.body.artifact_id}`, {
    credential: connection.credential,
  })
  await shop.browser.post(`${shop.pages}/sources/${sourceId}/pause`)
  const source = (await shop.browser.get(`${shop.pages}/sources/${sourceId}`)).body.source
  await shop.browser.post(`${shop.pages}/sources/${sourceId}/resume`)
  const nowMs = await now()
  for (const instant of [body.received_at, source.paused_at]) {
    expect(Math.abs(Date.parse(instant) - nowMs)).toBeLessThan(10_000)
  }
})
