import { expect, test } from 'vitest'
import { seedCompany, seedMember } from '../../../../testing/in-process/seed.ts'
import type { TokenFault } from '../../../../stand-ins/openid-provider/start-openid-provider.ts'
import { orderLifetimeMs } from '../order.ts'
import { providerClockSecondsMax } from './find-provider.ts'
import {
  ended,
  getSeconds,
  collect,
  getSessionStatus,
  logOut,
  countSignIns,
  countLogouts,
  startOpenIdConnectScene,
} from '../../../../testing/in-process/scenes/openid-connect-scene.ts'

const { database, provider, usual, signInAtProvider, signIn } = await startOpenIdConnectScene()

test('a logout ends the session of the named sign-in, and no other', async () => {
  const one = await signIn()
  const named = provider.signIns.at(-1)!
  const other = await signIn()
  const answer = await logOut(usual.app, { logout_token: await provider.createLogoutToken(named) })
  expect([answer.statusCode, answer.payload, answer.headers['cache-control']]).toEqual([200, '', 'no-store'])
  expect([await getSessionStatus(one.browser), await getSessionStatus(other.browser)]).toEqual([401, 200])
})

test('a logout without a sign-in ends all sessions of the person, and no one else’s', async () => {
  const sessions = [await signIn(), await signIn()]
  const named = provider.signIns.at(-1)!
  const stranger = await signIn(usual.app, '189001029819')
  const token = await provider.createLogoutToken(named, { claims: { sid: undefined } })
  expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
  expect(await Promise.all(sessions.map(({ browser }) => getSessionStatus(browser)))).toEqual([401, 401])
  expect(await getSessionStatus(stranger.browser)).toBe(200)
})

test('a logout ends unnamed sessions of the person, and no named ones', async () => {
  const named = await signIn()
  provider.spoilNextIdToken({ claims: { sid: undefined } })
  const unnamed = await signIn()
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
  expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
  expect([await getSessionStatus(named.browser), await getSessionStatus(unnamed.browser)]).toEqual([200, 401])
})

test('a logout is in the audit of the person’s companies', async () => {
  const { company } = await seedCompany(usual.context)
  const personalNumber = '189001029819'
  const { memberId } = await seedMember(usual.context, company.companyId, { personalNumber })
  const { browser } = await signIn(usual.app, personalNumber)
  expect((await browser.get(`/console/companies/${company.companyId}`)).status).toBe(200)
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
  expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
  const { rows } = await database.pool.query(
    `select action, details from audit_events where company_id = $1 and member_id = $2`,
    [company.companyId, memberId],
  )
  expect(rows).toEqual([{ action: 'session_ended', details: { by: 'provider' } }])
})

test('a logout of an unknown sign-in is accepted', async () => {
  const token = await provider.createLogoutToken({ sid: 'unknown', sub: 'unknown' })
  expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
})

test.each<[string, () => TokenFault]>([
  ['with a nonce', () => ({ claims: { nonce: 'n' } })],
  ['with an empty nonce', () => ({ claims: { nonce: '' } })],
  ['of the type of access tokens', () => ({ typ: 'at+jwt' })],
  ['for another client', () => ({ claims: { aud: 'other' } })],
  ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
  ['without events', () => ({ claims: { events: undefined } })],
  ['with another event', () => ({ claims: { events: { 'https://other.example': {} } } })],
  [
    'with an event that is no object',
    () => ({ claims: { events: { 'http://schemas.openid.net/event/backchannel-logout': true } } }),
  ],
  ['without a jti', () => ({ claims: { jti: undefined } })],
  ['without a time', () => ({ claims: { iat: undefined } })],
  ['without an end', () => ({ claims: { exp: undefined } })],
  ['that has expired', () => ({ claims: { exp: getSeconds() - 120 } })],
  ['from an hour ago', () => ({ claims: { iat: getSeconds() - 3_600 } })],
  ['that names no one', () => ({ claims: { sid: undefined, sub: undefined } })],
  ['that names a number', () => ({ claims: { sid: 1 } })],
  ['without a signature', () => ({ signature: 'none' })],
  ['signed with the client’s secret', () => ({ signature: 'secret' })],
  ['signed by a stranger', () => ({ signature: 'stranger' })],
  ['with a changed signature', () => ({ signature: 'spoiled' })],
])('a logout token %s is refused, and ends nothing', async (_what, fault) => {
  const { browser } = await signIn()
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!, fault())
  const answer = await logOut(usual.app, { logout_token: token })
  expect(answer.statusCode).toBe(400)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.json()).toMatchObject({ code: 'invalid_argument', field: 'logout_token' })
  expect(answer.payload).not.toContain(token.slice(0, 40))
  expect(await getSessionStatus(browser)).toBe(200)
})

test('a logout token is accepted once', async () => {
  await signIn()
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
  expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
  expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(400)
})

test('an ID token is refused as a logout token', async () => {
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!, {
    typ: 'JWT',
    claims: { events: undefined, nonce: 'n' },
  })
  expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(400)
})

test('a request must be a form with one logout token', async () => {
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
  for (const body of [
    '',
    'logout_token=',
    `logout_token=${token}&logout_token=${token}`,
    'logout_token=a.b',
  ]) {
    expect((await logOut(usual.app, body)).statusCode, body.slice(0, 20)).toBe(400)
  }
  const json = { 'content-type': 'application/json' }
  expect((await logOut(usual.app, { logout_token: token }, json)).statusCode).toBe(400)
  expect(
    (await logOut(usual.app, { logout_token: token }, { 'content-type': 'text/plain' })).statusCode,
  ).toBe(415)
  expect((await logOut(usual.app, { logout_token: 'x'.repeat(20_000) })).statusCode).toBe(413)
})

test.each<[string, Record<string, undefined>]>([
  ['sign-in and person', {}],
  ['the sign-in alone', { sub: undefined }],
  ['the person alone', { sid: undefined }],
])('a logout ends a sign-in that no page has collected: named by %s', async (_what, claims) => {
  await database.pool.query('delete from sessions')
  const begun = await signInAtProvider()
  const before = [await countSignIns(usual, 'ended'), await countLogouts(usual, 'no_session')]
  const token = await provider.createLogoutToken(provider.signIns.at(-1)!, { claims })
  expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
  expect([await collect(begun), await collect(begun)]).toEqual([ended, ended])
  expect(await getSessionStatus(begun.browser)).toBe(401)
  expect([await countSignIns(usual, 'ended'), await countLogouts(usual, 'no_session')]).toEqual(
    before.map((count) => count + 1),
  )
  const { rows } = await database.pool.query('select state from identity_orders where order_id = $1', [
    begun.orderId,
  ])
  expect(rows).toEqual([{ state: 'failed' }])
})

test('a logout ends no sign-in with another name, and no one else’s', async () => {
  await signInAtProvider(usual.app, '189001029819')
  const stranger = provider.signIns.at(-1)!
  const begun = await signInAtProvider()
  const own = provider.signIns.at(-1)!
  for (const [named, claims] of [
    [stranger, {}],
    [stranger, { sid: undefined }],
    // A session id is no subject, and the reverse.
    [{ sid: own.sub, sub: own.sid }, {}],
    [{ sid: 'of another sign-in', sub: own.sub }, {}],
  ] as const) {
    const token = await provider.createLogoutToken(named, { claims })
    expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
  }
  expect(await collect(begun)).toMatchObject({ state: 'complete' })
  expect(await getSessionStatus(begun.browser)).toBe(200)
})

test('a person can sign in again after a logout', async () => {
  await signIn()
  const named = provider.signIns.at(-1)!
  const iat = getSeconds() - 5
  for (const sid of [undefined, 'of an old sign-in']) {
    const token = await provider.createLogoutToken(named, { claims: { iat, sid } })
    expect((await logOut(usual.app, { logout_token: token })).statusCode).toBe(200)
  }
  expect((await signIn()).progress.state).toBe('complete')
  provider.spoilNextIdToken({ claims: { sid: undefined } })
  expect((await signIn()).progress.state).toBe('complete')
})

test('a logout token is stored for as long as a sign-in that it ends can be collected', async () => {
  await logOut(usual.app, { logout_token: await provider.createLogoutToken({ sid: 'some', sub: 'body' }) })
  const { rows } = await database.pool.query<{ expires_at: Date }>(
    'select expires_at from used_logout_tokens',
  )
  const keptMs = rows[0]!.expires_at.getTime() - usual.context.clock.now()
  expect(keptMs).toBeGreaterThanOrEqual(orderLifetimeMs + providerClockSecondsMax * 1_000)
})
