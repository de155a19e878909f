import { expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import { createPool } from '../../../platform/database/pool.ts'
import { createBreakableDatabase } from '../../../../testing/faults/breakable-database.ts'
import { createConsoleClient } from '../../../../testing/in-process/console-client.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { answerCheckMsMax, openIdConnectOrderMs, type OpenIdConnect } from './openid-connect.ts'
import {
  service,
  tolvan,
  begin,
  comeBack,
  collect,
  countSignIns,
  countCalls,
  startOpenIdConnectScene,
} from '../../../../testing/in-process/scenes/openid-connect-scene.ts'

const { database, provider, usual, getLog } = await startOpenIdConnectScene()

test('a callback is recognised by its query, however its path is encoded', async () => {
  const begun = await begin(usual.app)
  const { search } = new URL(await provider.visit(begun.openUrl, tolvan))
  expect((await begun.browser.get(`/sign-in/%63allback${search}`)).status).toBe(303)
  expect((await collect(begun)).state).toBe('complete')
  const oidc = usual.context.identity.signIn as OpenIdConnect
  expect(await oidc.answer(`http://evil.example/sign-in/callback${search}`, undefined)).toBe(
    `${service}/sign-in`,
  )
})

/** How many failed sign-ins were logged. */
const countWarnings = (): number =>
  getLog().split('a sign-in at the OpenID Connect provider failed').length - 1

/** The counters of sign-ins, as they are served. */
const readCounters = (): Promise<string> =>
  usual.context.telemetry.registry.getSingleMetricAsString('numera_openid_connect_sign_ins_total')

test('a callback of a finished, cancelled or expired sign-in is neither counted nor logged', async () => {
  const signedIn = await begin(usual.app)
  const used = await provider.visit(signedIn.openUrl, tolvan)
  await comeBack(signedIn.browser, used)
  expect((await collect(signedIn)).state).toBe('complete')
  const givenUp = await begin(usual.app)
  const late = await provider.visit(givenUp.openUrl, tolvan)
  await givenUp.browser.post(`/console/sign-in/${givenUp.orderId}/cancel`)
  const tooLate = await provider.visit((await begin(usual.app)).openUrl, tolvan)
  usual.context.clock.advance(openIdConnectOrderMs)
  const before = [await readCounters(), countWarnings()]
  for (const callback of [used, late, tooLate]) {
    for (const browser of [signedIn.browser, givenUp.browser, createConsoleClient(usual.app)]) {
      expect((await comeBack(browser, callback)).status).toBe(303)
    }
  }
  expect([await readCounters(), countWarnings()]).toEqual(before)
})

test('a callback from elsewhere does not end a check in progress', async () => {
  const begun = await begin(usual.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  const gate = Promise.withResolvers<void>()
  const before = countCalls(provider, '/token')
  provider.answerNextWith({ path: '/token', until: gate.promise })
  const back = comeBack(begun.browser, callback)
  await expect.poll(() => countCalls(provider, '/token')).toBe(before + 1)
  try {
    const look = await comeBack(createConsoleClient(usual.app), callback)
    expect(look.headers['location']).toBe(`${service}/sign-in`)
  } finally {
    gate.resolve()
  }
  await back
  expect((await collect(begun)).state).toBe('complete')
})

test('a callback in another browser has a metric of its own', async () => {
  const before = [await countSignIns(usual, 'other_browser'), await countSignIns(usual, 'not_verified')]
  const callback = await provider.visit((await begin(usual.app)).openUrl, tolvan)
  await comeBack(createConsoleClient(usual.app), callback)
  await comeBack(createConsoleClient(usual.app), callback)
  expect([await countSignIns(usual, 'other_browser'), await countSignIns(usual, 'not_verified')]).toEqual([
    before[0]! + 1,
    before[1],
  ])
})

test('of two sign-ins in one browser, each can be completed', async () => {
  const first = await begin(usual.app)
  const beginAnother = async () => {
    const { body } = await first.browser.post('/console/sign-in')
    return { ...first, orderId: body.order_id as string, openUrl: body.presentation.open_url as string }
  }
  const second = await beginAnother()
  const callback = await provider.visit(first.openUrl, tolvan)
  expect((await comeBack(first.browser, callback)).headers['location']).toBe(`${service}/invitations?x=1`)
  expect((await collect(first)).state).toBe('complete')
  await comeBack(first.browser, await provider.visit(second.openUrl, tolvan))
  expect((await collect(second)).state).toBe('complete')

  const [third, fourth] = [await beginAnother(), await beginAnother()]
  await first.browser.post(`/console/sign-in/${third.orderId}/cancel`)
  await comeBack(first.browser, await provider.visit(fourth.openUrl, tolvan))
  expect((await collect(fourth)).state).toBe('complete')
})

test('an order that expired by a fast clock is pending again when the clock is right', async () => {
  const begun = await begin(usual.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  usual.context.clock.advance(openIdConnectOrderMs)
  expect(await collect(begun)).toEqual({ state: 'failed', reason: 'expired' })
  usual.context.clock.advance(-openIdConnectOrderMs)
  expect((await collect(begun)).state).toBe('pending')
  await comeBack(begun.browser, callback)
  expect((await collect(begun)).state).toBe('complete')
})

test('a check that takes too long fails the sign-in for good', async () => {
  const begun = await begin(usual.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  const gate = Promise.withResolvers<void>()
  const [completeBefore, unavailableBefore] = [
    await countSignIns(usual, 'complete'),
    await countSignIns(usual, 'unavailable'),
  ]
  const before = countCalls(provider, '/token')
  provider.answerNextWith({ path: '/token', until: gate.promise })
  const back = comeBack(begun.browser, callback)
  await expect.poll(() => countCalls(provider, '/token')).toBe(before + 1)
  try {
    usual.context.clock.advance(answerCheckMsMax - 1)
    expect(await collect(begun)).toEqual({ state: 'pending', hint: 'outstanding', presentation: {} })
    usual.context.clock.advance(1)
    expect(await collect(begun)).toEqual({ state: 'failed', reason: 'unavailable' })
    expect(await countSignIns(usual, 'unavailable')).toBe(unavailableBefore + 1)
  } finally {
    gate.resolve()
  }
  expect((await back).status).toBe(303)
  expect(await collect(begun)).toEqual({ state: 'failed', reason: 'ended' })
  expect(await countSignIns(usual, 'complete')).toBe(completeBefore)
  const { searchParams } = new URL(callback)
  const { rows } = await database.pool.query(
    'select state, reason, sealed from openid_connect_orders where reference = $1',
    [searchParams.get('state')],
  )
  expect(rows).toEqual([{ state: 'failed', reason: 'unavailable', sealed: null }])
})

test('a callback at the last moment is checked to the end', async () => {
  const begun = await begin(usual.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  usual.context.clock.advance(openIdConnectOrderMs - 1_000)
  const iat = Math.floor(usual.context.clock.now() / 1_000)
  provider.spoilNextIdToken({ claims: { iat, exp: iat + 60, auth_time: iat } })
  const gate = Promise.withResolvers<void>()
  const before = countCalls(provider, '/token')
  provider.answerNextWith({ path: '/token', until: gate.promise })
  const back = comeBack(begun.browser, callback)
  await expect.poll(() => countCalls(provider, '/token')).toBe(before + 1)
  usual.context.clock.advance(2_000)
  try {
    expect((await collect(begun)).state).toBe('pending')
  } finally {
    gate.resolve()
  }
  await back
  expect((await collect(begun)).state).toBe('complete')
})

test.each([
  ['no order', '/sign-in/callback'],
  ['a made-up order', `/sign-in/callback?state=${'a'.repeat(43)}&code=x`],
  ['an order in other letters', '/sign-in/callback?state=%00%27&code=x'],
])('a callback for %s leads to the sign-in page', async (_what, path) => {
  const answer = await createConsoleClient(usual.app).get(path)
  expect([answer.status, answer.headers['location']]).toEqual([303, `${service}/sign-in`])
})

test('a person who returns while the database is unavailable gets a page, and can sign in afterwards', async () => {
  const begun = await begin(usual.app)
  const { pathname, search } = new URL(await provider.visit(begun.openUrl, tolvan))
  await using breakable = await createBreakableDatabase(database.url)
  const pool = createPool({ url: breakable.url })
  const cutOff = await buildApp(createTestContext(pool, { environment: provider.environment }))
  await breakable.takeAway()
  const headers = { 'accept-language': 'sv', accept: 'text/html' }
  for (const url of [`${pathname}${search}`, `${pathname}?state=${'a'.repeat(43)}`]) {
    const answer = await cutOff.inject({ url, headers })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.payload).toMatch(
      /<html lang="sv">[^]*<h1>Du kunde inte loggas in<[^]*You could not be signed in/,
    )
    expect(answer.payload).not.toContain('state')
  }
  // A callback without a possible order needs no database.
  for (const url of [pathname, `${pathname}?state=%00`]) {
    expect((await cutOff.inject({ url, headers })).headers['location']).toBe(`${service}/sign-in`)
  }
  await cutOff.close()
  await pool.end()
  await begun.browser.get(`${pathname}${search}`)
  expect((await collect(begun)).state).toBe('complete')
})

test('a HEAD request does not use up the callback', async () => {
  const begun = await begin(usual.app)
  const { pathname, search } = new URL(await provider.visit(begun.openUrl, tolvan))
  expect((await begun.browser.send('HEAD', `${pathname}${search}`)).status).toBe(405)
  await begun.browser.get(`${pathname}${search}`)
  expect(await collect(begun)).toMatchObject({ state: 'complete' })
})
