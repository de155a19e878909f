import { expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import { approveDemoOrder } from '../../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { selectIsEnded } from '../../sessions/queries.ts'
import { backChannelLogoutRate, refusedLogoutLineMs } from './routes.ts'
import { logoutChecksMax } from './openid-connect.ts'
import {
  tolvan,
  ended,
  getSeconds,
  begin,
  comeBack,
  collect,
  getSessionStatus,
  logOut,
  countSignIns,
  countLogouts,
  countCalls,
  startOpenIdConnectScene,
} from '../../../../testing/in-process/scenes/openid-connect-scene.ts'

const { database, provider, usual, opened, deploy, getLog, signInAtProvider, signIn } =
  await startOpenIdConnectScene()

/** The refusals of logout tokens that were logged at the level `warn`. */
const countLoggedRefusals = (): number =>
  getLog().match(/"level":40[^\n]*a logout token was refused/g)?.length ?? 0

/** Does the work while another connection locks rows or tables, until the work calls `release`. */
const whileLocked = async (
  statement: string,
  values: unknown[],
  work: (release: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  const client = await database.pool.connect()
  // In a slow run the server may end an idle transaction; the commit below then fails with the reason.
  client.on('error', () => {})
  try {
    await client.query('begin')
    await client.query(statement, values)
    await work(async () => void (await client.query('commit')))
    await client.query('commit')
  } finally {
    // Closes the connection, which releases its locks.
    client.release(true)
  }
}

/** Settles once a connection waits for a lock of this kind. */
const untilWaiting = (kind: 'advisory' | 'row') =>
  expect
    .poll(
      async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
               and (wait_event = 'advisory') = $1`,
            [kind === 'advisory'],
          )
        ).rowCount,
    )
    .toBeGreaterThan(0)

test('a logout ends a sign-in whose callback is being checked', async () => {
  const other = await deploy()
  const begun = await begin(other.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  const gate = Promise.withResolvers<void>()
  const before = provider.signIns.length
  // The ID token has been issued when the service reads the keys.
  provider.answerNextWith({ path: '/jwks', until: gate.promise })
  const back = comeBack(begun.browser, callback)
  await expect.poll(() => provider.signIns.length).toBe(before + 1)
  // The usual service, which receives the logout, has read the keys earlier.
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
  try {
    expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
    expect(await collect(begun)).toMatchObject({ state: 'pending' })
  } finally {
    gate.resolve()
  }
  expect((await back).status).toBe(303)
  expect([await collect(begun), await getSessionStatus(begun.browser)]).toEqual([ended, 401])
  expect(await countSignIns(other, 'ended')).toBe(1)
})

test('a logout waits for a session that is being created, and ends it', async () => {
  const { member_id } = (await signIn(usual.app, '189001019802')).progress
  const begun = await signInAtProvider(usual.app, '189001019802')
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
  const member = 'select from members where member_id = $1 for update'
  await whileLocked(member, [member_id], async (release) => {
    const collecting = collect(begun)
    await untilWaiting('row')
    const loggingOut = logOut(usual.app, { logout_token: token })
    await untilWaiting('advisory')
    await release()
    expect(await collecting).toMatchObject({ state: 'complete' })
    expect((await loggingOut).statusCode).toBe(200)
  })
  expect(await getSessionStatus(begun.browser)).toBe(401)
})

test('no session is created while a logout of it is in progress', async () => {
  const first = await signIn(usual.app, '189001019802')
  const begun = await signInAtProvider(usual.app, '189001019802')
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!, { claims: { sid: undefined } })
  const sessions = 'select from sessions where member_id = $1 for update'
  await whileLocked(sessions, [first.progress.member_id], async (release) => {
    const loggingOut = logOut(usual.app, { logout_token: token })
    await untilWaiting('row')
    const collecting = collect(begun)
    await untilWaiting('advisory')
    await release()
    expect((await loggingOut).statusCode).toBe(200)
    expect(await collecting).toEqual(ended)
  })
  expect([await getSessionStatus(first.browser), await getSessionStatus(begun.browser)]).toEqual([401, 401])
})

test('a waiting sign-in delays no other', async () => {
  const { member_id } = (await signIn(usual.app, '189001019802')).progress
  const [delayed, free] = [await signInAtProvider(usual.app, '189001019802'), await signInAtProvider()]
  const member = 'select from members where member_id = $1 for update'
  await whileLocked(member, [member_id], async (release) => {
    const collecting = collect(delayed)
    await untilWaiting('row')
    expect(await collect(free)).toMatchObject({ state: 'complete' })
    await release()
    expect(await collecting).toMatchObject({ state: 'complete' })
  })
})

test('a logout in the same second as the sign-in ends it', async () => {
  const iat = getSeconds()
  const begun = await begin(usual.app)
  provider.spoilNextIdToken({ claims: { iat: iat + 0.9 } })
  await comeBack(begun.browser, await provider.visit(begun.openUrl, tolvan))
  const claims = { iat: iat + 0.1, sid: undefined }
  await logOut(usual.app, {
    logout_token: await provider.createLogoutToken(provider.signIns.at(-1)!, { claims }),
  })
  expect(await collect(begun)).toEqual(ended)
})

test('a logout ends an unnamed sign-in by its person', async () => {
  const begun = await begin(usual.app)
  provider.spoilNextIdToken({ claims: { sid: undefined } })
  await comeBack(begun.browser, await provider.visit(begun.openUrl, tolvan))
  await logOut(usual.app, { logout_token: await provider.createLogoutToken(provider.signIns.at(-1)!) })
  expect(await collect(begun)).toEqual(ended)
})

test('logouts are found by an index', async () => {
  await database.pool.query(`
        insert into used_logout_tokens (token_hash, logout_sid_mac, logout_sub_mac, issued_at, expires_at)
        select sha256(n::text::bytea), case when n % 2 = 0 then sha256(('sid' || n)::bytea) end,
          sha256(('sub' || n % 1000)::bytea), now(), now()
        from generate_series(1, 20000) n`)
  await database.pool.query('analyze used_logout_tokens')
  const values = selectIsEnded.toValues({
    sidMac: Buffer.alloc(32),
    subMac: Buffer.alloc(32),
    issuedAt: new Date(),
  })
  const { rows } = await database.pool.query<Record<'QUERY PLAN', string>>(`explain ${selectIsEnded.text}`, [
    ...values,
  ])
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('used_logout_tokens_by_sid')
  expect(plan).toContain('used_logout_tokens_by_sub')
  expect(plan).not.toContain('Seq Scan')
})

test('sign-ins with another electronic identity do not wait for logouts', async () => {
  const context = createTestContext(database.pool)
  const app = await buildApp(context)
  opened.defer(() => app.close())
  const begun = await begin(app)
  await approveDemoOrder(context, begun.openUrl, { personalNumber: tolvan, name: 'Tolvan' })
  // Both locks that a logout needs.
  const all = 'lock table used_logout_tokens in access exclusive mode'
  await whileLocked(all, [], () =>
    whileLocked('select pg_advisory_xact_lock(7862693118)', [], async () => {
      expect(await collect(begun)).toMatchObject({ state: 'complete' })
    }),
  )
})

test('refused tokens are logged once a minute', async () => {
  const { app, context } = await deploy()
  const refuse = () => logOut(app, 'logout_token=x')
  const before = countLoggedRefusals()
  for (let refusals = 0; refusals < 3; refusals += 1) await refuse()
  expect(countLoggedRefusals()).toBe(before + 1)
  context.clock.advance(refusedLogoutLineMs)
  await refuse()
  expect(countLoggedRefusals()).toBe(before + 2)
})

test('at most a limited number of tokens is checked concurrently', async () => {
  const there = await deploy()
  const send = (body: string) => logOut(there.app, body)
  const { browser } = await signIn()
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
  const gate = Promise.withResolvers<void>()
  const countMetadataCalls = () => countCalls(provider, '/.well-known')
  const before = countMetadataCalls()
  provider.answerNextWith({ path: '/.well-known/openid-configuration', until: gate.promise })
  const first = send(`logout_token=${token}`)
  await expect.poll(() => countMetadataCalls()).toBe(before + 1)
  let answered = 0
  const others = Array.from({ length: logoutChecksMax }, async () => {
    const { statusCode, headers } = await send('logout_token=x')
    answered += 1
    return [statusCode, headers['retry-after']]
  })
  try {
    await expect.poll(() => answered).toBe(1)
    expect(await countLogouts(there, 'rate_limited')).toBe(1)
  } finally {
    gate.resolve()
  }
  expect((await first).statusCode).toBe(200)
  expect(await getSessionStatus(browser)).toBe(401)
  const answers = (await Promise.all(others)).map(([status]) => status)
  expect(answers.filter((status) => status === 429)).toHaveLength(1)
})

test('logouts are limited for each network', async () => {
  const statuses = new Set<number>()
  for (let calls = 0; calls <= backChannelLogoutRate.burst; calls += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => logOut(usual.app, 'logout_token=x')))
    for (const { statusCode } of answers) statuses.add(statusCode)
  }
  expect([...statuses].toSorted()).toEqual([400, 429])
  usual.context.clock.advance(60_000)
  expect((await logOut(usual.app, 'logout_token=x')).statusCode).toBe(400)
})

test('invalid tokens from a network do not keep the provider’s token out', async () => {
  const { browser } = await signIn()
  const named = provider.signIns.at(-1)!
  const before = [await countLogouts(usual, 'refused'), await countLogouts(usual, 'rate_limited')]
  for (let calls = 0; calls <= backChannelLogoutRate.burst; calls += 100) {
    await Promise.all(Array.from({ length: 100 }, () => logOut(usual.app, 'logout_token=x')))
  }
  expect((await logOut(usual.app, 'logout_token=x')).statusCode).toBe(429)
  expect(
    (await logOut(usual.app, { logout_token: await provider.createLogoutToken(named) })).statusCode,
  ).toBe(200)
  expect(await getSessionStatus(browser)).toBe(401)
  expect(await countLogouts(usual, 'refused')).toBe(before[0]! + backChannelLogoutRate.burst)
  expect(await countLogouts(usual, 'rate_limited')).toBeGreaterThan(before[1]!)
})
