import { beforeAll, expect, test } from 'vitest'
import { isWrite } from '../../platform/http/requests/is-write.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { seedCompany } from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const { database, context, app } = await startTestService()

const { company, owner, source, connection } = await seedScene(context, { source: {}, connection: {} })
const ids: Record<string, string> = {
  company_id: company.companyId,
  source_id: source.sourceId,
  connection_id: connection.connectionId,
  member_id: owner.memberId,
}
let client: ConsoleClient
/** Tokens of other sessions, one of them the same member's in another browser. */
const others: string[] = []

const getToken = async (browser: ConsoleClient): Promise<string> =>
  (await browser.get('/console/session')).body.csrf_token

beforeAll(async () => {
  others.push(await getToken(await signInConsole(app, context, owner)))
  others.push(await getToken(await signInConsole(app, context, (await seedCompany(context)).owner)))
  client = await signInConsole(app, context, owner)
})

const listWrites = (guard: 'session' | 'none'): [method: string, path: string][] =>
  app.routes.entries
    .filter(
      ({ method, contract }) => contract?.api === 'console' && contract.guard === guard && isWrite(method),
    )
    .map(({ method, pattern }) => [
      method,
      pattern.replaceAll(/:([a-z_]+)/g, (_all, name: string) => ids[name] ?? company.companyId),
    ])

/** Of everything that is stored, except the rate buckets of refused calls. */
const digest = async (): Promise<string> => {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace in ('directory'::regnamespace, 'access'::regnamespace, 'shard_1'::regnamespace)
       and relname not in ('migrations', 'rate_buckets') order by relname`,
  )
  const sums = tables.map(
    ({ name }) => `select sum(hashtextextended(t::text, 0))::text as sum from ${name} t`,
  )
  const { rows } = await database.pool.query<{ digest: string }>(
    `select md5(string_agg(coalesce(sum, '-'), ';')) as digest from (${sums.join(' union all ')}) as sums`,
  )
  return rows[0]!.digest
}

const refusal = {
  status: 403,
  body: { code: 'permission_denied', message: 'The CSRF token of the session is missing or wrong.' },
}

test('no write of the pages has an effect without the CSRF token of its own session', async () => {
  const writes = listWrites('session')
  expect(writes.length).toBeGreaterThan(25)
  const before = await digest()
  for (const [method, path] of writes) {
    for (const token of [undefined, '', 'x', 'ö'.repeat(43), ...others]) {
      const headers: Record<string, string> = token === undefined ? {} : { 'x-csrf-token': token }
      expect([method, path, await client.send(method, path, {}, headers)]).toMatchObject([
        method,
        path,
        refusal,
      ])
    }
  }
  expect(await digest()).toBe(before)
})

test('a write without a session is 401, even with a valid token', async () => {
  const token = await getToken(client)
  for (const [method, path] of listWrites('session')) {
    const answer = await app.inject({
      method: method as 'POST',
      url: path,
      headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      payload: '{}',
    })
    expect([method, path, answer.statusCode]).toEqual([method, path, 401])
  }
})

test('with the token of its session, no write is refused for the token', async () => {
  const headers = { 'x-csrf-token': await getToken(client) }
  // Signing out comes last: the session is over then.
  const writes = listWrites('session').toSorted(
    ([, a], [, b]) => Number(a.includes('out')) - Number(b.includes('out')),
  )
  for (const [method, path] of writes) {
    const { body } = await client.send(method, path, {}, headers)
    expect([method, path, body?.message]).not.toEqual([method, path, refusal.body.message])
  }
})

test('only writes before a session, of the demo’s pages and of the provider need no token', () => {
  const patterns = app.routes.entries
    .filter(
      ({ method, contract }) => contract?.api === 'console' && contract.guard === 'none' && isWrite(method),
    )
    .map(({ pattern }) => pattern)
  expect(patterns.toSorted()).toEqual([
    '/console/sign-in',
    '/console/sign-in/:order_id/cancel',
    '/console/sign-in/:order_id/collect',
    '/console/sign-in/return',
    '/demo-identity/orders/:reference',
    '/docs/demo/visits',
    '/sign-in/back-channel-logout',
  ])
})
