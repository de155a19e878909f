import { expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { readOwnLimits } from '../../engine/usage/limits.ts'
import { visitLifetimeMs, visitNetworkRate, visitRate, visitWiderNetworkRate } from './create-visit.ts'
import { visitBodyBytesMax } from '../../engine/deliveries/push/ingest.ts'
import { visitLimits } from './visit-company.ts'

const { app, context } = await startTestService()

/** A visitor, by default from a network of their own. */
let networks = 0
const visit = async (address = `198.${networks++}.7.1`, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/docs/demo/visits',
    remoteAddress: address,
    headers: { 'content-type': 'application/json', ...headers },
    payload: '{}',
  })

const push = async (credential: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json', ...headers },
    payload: {
      idempotency_key: 'first',
      shape_version: 1,
      payload: { at: '2026-01-15', amount: '10', country: 'SE' },
    },
  })

const get = async (credential: string, url: string) =>
  app.inject({ url, headers: { authorization: `Bearer ${credential}` } })

/** Past what the visits before have taken of the deployment's bucket. */
const waitForVisits = (): void => context.clock.advance(visitRate.burst * 60_000)

test('a visitor pushes and reads test data with a credential of an hour, from the documents too', async () => {
  waitForVisits()
  const answer = await visit()
  expect(answer.statusCode).toBe(201)
  const { credential, source_id, expires_at } = answer.json()
  expect(Date.parse(expires_at) - context.clock.now()).toBe(visitLifetimeMs)
  const pushed = await push(credential, { origin: 'http://localhost:8080' })
  expect(pushed.statusCode).toBe(202)
  expect(pushed.json()).toMatchObject({ status: 'queued', sandbox: true })
  expect((await get(credential, '/v1/samples')).json()).toMatchObject({ source_id })
  context.clock.advance(visitLifetimeMs)
  expect((await get(credential, '/v1/samples')).statusCode).toBe(401)
  expect((await push(credential)).statusCode).toBe(401)
})

test('a visitor finds nothing of what another one sent, and nothing of a company with members', async () => {
  waitForVisits()
  const [one, other] = [(await visit()).json(), (await visit()).json()]
  const { artifact_id } = (await push(one.credential)).json()
  expect((await get(one.credential, `/v1/deliveries/${artifact_id}`)).statusCode).toBe(200)
  expect((await get(other.credential, `/v1/deliveries/${artifact_id}`)).statusCode).toBe(404)
  expect((await get(other.credential, `/v1/samples?source_id=${one.source_id}`)).statusCode).toBe(404)
  const { sources } = (await get(other.credential, '/v1/sources')).json()
  expect(sources).toMatchObject([{ source_id: other.source_id }])
  // The same key is another delivery's on another source.
  expect((await push(other.credential)).json().artifact_id).not.toBe(artifact_id)
  const { rows } = await context.pool.query(
    `select count(memberships)::integer as members from sources left join memberships using (company_id)
     where source_id = $1`,
    [one.source_id],
  )
  expect(rows).toEqual([{ members: 0 }])
})

test('one network, and all together, get only so many credentials; then they wait', async () => {
  waitForVisits()
  const statuses = new Map<number, number>()
  const count = (status: number): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
  for (let each = 0; each < visitNetworkRate.burst + 2; each++) count((await visit('203.0.113.7')).statusCode)
  expect(statuses).toEqual(
    new Map([
      [201, visitNetworkRate.burst],
      [429, 2],
    ]),
  )
  // Those that its network is refused take nothing from the others.
  statuses.clear()
  for (let each = visitNetworkRate.burst; each < visitRate.burst; each++) count((await visit()).statusCode)
  expect(statuses).toEqual(new Map([[201, visitRate.burst - visitNetworkRate.burst]]))
  const refused = await visit()
  expect(refused.json()).toMatchObject({ code: 'rate_limited' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  context.clock.advance(60_000)
  expect((await visit()).statusCode).toBe(201)
})

const readCompanyId = async (source_id: string): Promise<string> => {
  const { rows } = await context.pool.query('select company_id from sources where source_id = $1', [
    source_id,
  ])
  return rows[0].company_id
}

test('what a visit may fill is its own share, and a full one closes no other', async () => {
  waitForVisits()
  const [greedy, other] = [(await visit()).json(), (await visit()).json()]
  const companyId = await readCompanyId(greedy.source_id)
  expect(await readOwnLimits(context.pool, companyId)).toMatchObject(visitLimits)
  await context.pool.query(`update companies set over_limit = 'stored_bytes' where company_id = $1`, [
    companyId,
  ])
  expect((await push(greedy.credential)).json()).toMatchObject({ code: 'rate_limited' })
  expect((await push(other.credential)).statusCode).toBe(202)
  expect((await push((await visit()).json().credential)).statusCode).toBe(202)
})

test('a visit’s pushes are small, so that it cannot store much before it is counted', async () => {
  waitForVisits()
  const { credential } = (await visit()).json()
  const sized = async (bytes: number) =>
    app.inject({
      method: 'POST',
      url: '/v1/ingest',
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/octet-stream',
        'idempotency-key': `of ${bytes} bytes`,
      },
      payload: 'at,amount,country\n'.padEnd(bytes, '\n'),
    })
  expect((await sized(visitBodyBytesMax)).statusCode).toBe(202)
  expect(await sized(visitBodyBytesMax + 1).then(({ statusCode }) => statusCode)).toBe(413)
})

test('a wider network of many client networks leaves visits to the others', async () => {
  for (const toAddress of [
    (each: number) => `203.0.${each}.1`,
    (each: number) => `2001:db8:${each.toString(16)}::1`,
  ]) {
    waitForVisits()
    const statuses = []
    for (let each = 0; each < visitWiderNetworkRate.burst + 5; each++)
      statuses.push((await visit(toAddress(each))).statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(visitWiderNetworkRate.burst)
    expect((await visit()).statusCode).toBe(201)
  }
})

test('a page of another origin cannot ask for a visit', async () => {
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    expect((await visit(undefined, headers)).json()).toMatchObject({ code: 'permission_denied' })
  }
})

test('the documents’ front page gets the demo credential, and nothing on a deployment that is not a demo', async () => {
  const shown = await app.inject('/docs/demo')
  expect(shown.json()).toEqual({ credential: context.config.demoCredential, resets_at: null })
  await using stack = new AsyncDisposableStack()
  const real = await buildApp({ ...context, config: { ...context.config, identityProvider: 'bankid' } })
  stack.defer(() => real.close())
  expect((await real.inject('/docs/demo')).statusCode).toBe(404)
  const answer = await real.inject({ method: 'POST', url: '/docs/demo/visits', payload: {} })
  expect(answer.statusCode).toBe(404)
})
