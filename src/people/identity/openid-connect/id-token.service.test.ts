import { expect, test, vi } from 'vitest'
import {
  startOpenIdProvider,
  type ForcedAnswer,
  type TokenFault,
} from '../../../../stand-ins/openid-provider/start-openid-provider.ts'
import { providerKeysPauseMs } from './find-provider.ts'
import {
  service,
  tolvan,
  getSeconds,
  begin,
  comeBack,
  collect,
  countCalls,
  startOpenIdConnectScene,
} from '../../../../testing/in-process/scenes/openid-connect-scene.ts'

const { provider, usual, opened, deploy, signIn } = await startOpenIdConnectScene()

const minuteMs = 60_000
const page = { type: 'text/html; charset=utf-8', body: '<h1>Hello</h1>' }

test.each<[string, () => TokenFault]>([
  ['with another nonce', () => ({ claims: { nonce: 'other' } })],
  ['without a nonce', () => ({ claims: { nonce: undefined } })],
  ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
  ['for another client', () => ({ claims: { aud: 'other' } })],
  [
    'for several clients, issued to another one',
    () => ({ claims: { aud: ['numera-trial', 'b'], azp: 'b' } }),
  ],
  ['that has expired', () => ({ claims: { exp: getSeconds() - 120 } })],
  ['that is from tomorrow', () => ({ claims: { iat: getSeconds() + 86_400, exp: getSeconds() + 90_000 } })],
  ['from an hour ago', () => ({ claims: { iat: getSeconds() - 3_600 } })],
  ['of a sign-in before this one', () => ({ claims: { auth_time: getSeconds() - 3_600 } })],
  ['without a signature', () => ({ signature: 'none' })],
  ['signed with the client’s secret', () => ({ signature: 'secret' })],
  ['signed by a stranger', () => ({ signature: 'stranger' })],
  ['with a changed signature', () => ({ signature: 'spoiled' })],
  ['without a personal number', () => ({ claims: { ssn: undefined } })],
  ['with an invalid personal number', () => ({ claims: { ssn: '191212121213' } })],
  ['with a personal number of type number', () => ({ claims: { ssn: 191212121212 } })],
  ['with ten digits', () => ({ claims: { ssn: '1212121212' } })],
  ['with ten digits and a hyphen', () => ({ claims: { ssn: '121212-1212' } })],
  ['with ten digits and a plus sign', () => ({ claims: { ssn: '121212+1212' } })],
  ['with a Finnish personal number', () => ({ claims: { ssn: '010185-0212' } })],
  ['whose name reverses the direction of text', () => ({ claims: { name: 'Eva \u202e' } })],
  ['whose name is empty', () => ({ claims: { name: '' } })],
])('an ID token %s signs no one in', async (_what, fault) => {
  provider.spoilNextIdToken(fault())
  // The UserInfo endpoint is not called where the ID token names the person.
  provider.answerNextWith({ path: '/me', body: { sub: 'x' } })
  expect((await signIn()).progress).toEqual({ state: 'failed', reason: 'not_verified' })
})

test('a personal number may contain a hyphen', async () => {
  const { member_id } = (await signIn()).progress
  provider.spoilNextIdToken({ claims: { ssn: '19121212-1212' } })
  expect((await signIn()).progress).toEqual({ state: 'complete', member_id })
})

test('a long name is shortened to 100 characters', async () => {
  provider.spoilNextIdToken({ claims: { name: 'Å'.repeat(5_000) } })
  const { browser } = await signIn()
  expect((await browser.get('/console/session')).body.name).toBe('Å'.repeat(100))
})

test('one of the requested levels of assurance is required', async () => {
  const { app } = await deploy({ NUMERA_OIDC_ACR_VALUES: 'urn:loa3, urn:loa4' })
  expect((await signIn(app)).progress.state).toBe('complete')
  expect(provider.requests.at(-1)!.get('acr_values')).toBe('urn:loa3 urn:loa4')
  for (const acr of ['urn:loa2', undefined]) {
    provider.spoilNextIdToken({ claims: { acr } })
    expect((await signIn(app)).progress).toEqual({ state: 'failed', reason: 'not_verified' })
  }
})

test('times are checked by the deployment’s clock, not the machine’s', async () => {
  expect((await signIn()).progress.state).toBe('complete')
  const begun = await begin(usual.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  usual.context.clock.advance(5 * minuteMs)
  provider.spoilNextIdToken({ claims: { exp: getSeconds() + 60 } })
  await comeBack(begun.browser, callback)
  expect(await collect(begun)).toEqual({ state: 'failed', reason: 'not_verified' })

  usual.context.clock.advance(60 * minuteMs)
  const later = await begin(usual.app)
  const ahead = getSeconds() + 65 * 60
  provider.spoilNextIdToken({ claims: { iat: ahead, exp: ahead + 60, auth_time: ahead } })
  await comeBack(later.browser, await provider.visit(later.openUrl, tolvan))
  expect(await collect(later)).toMatchObject({ state: 'complete' })
})

test('a token is accepted on a machine whose clock is an hour ahead', async () => {
  const { app, context } = await deploy()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * minuteMs })
  const right = Math.floor(context.clock.now() / 1_000)
  provider.spoilNextIdToken({ claims: { iat: right, exp: right + 300, auth_time: right } })
  expect((await signIn(app)).progress.state).toBe('complete')
})

test('a token signed with a new key is accepted once the keys may be read again', async () => {
  const other = await startOpenIdProvider({ relyingParty: service })
  opened.use(other)
  const { app } = await deploy({}, other)
  // The clock is stopped, so that the keys stay new on a slow machine.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  expect((await signIn(app)).progress.state).toBe('complete')
  await other.rotateKeys()
  const keyCalls = () => countCalls(other, '/jwks')
  const before = keyCalls()
  expect((await signIn(app)).progress).toEqual({ state: 'failed', reason: 'not_verified' })
  expect(keyCalls()).toBe(before)
  vi.setSystemTime(Date.now() + providerKeysPauseMs)
  expect((await signIn(app)).progress.state).toBe('complete')
  expect(keyCalls()).toBe(before + 1)
})

test.each<[string, Omit<ForcedAnswer, 'path'>, string]>([
  ['500', { status: 500, body: 'out of order' }, 'unavailable'],
  ['503 as an error of OAuth', { status: 503, body: { error: 'temporarily_unavailable' } }, 'unavailable'],
  ['404 as a page', { status: 404, ...page }, 'unavailable'],
  ['429 as a page', { status: 429, ...page }, 'unavailable'],
  ['a page with 200', page, 'unavailable'],
  ['that the client is wrong', { status: 401, body: { error: 'invalid_client' } }, 'unavailable'],
  ['that the code is wrong', { status: 400, body: { error: 'invalid_grant' } }, 'not_verified'],
  ['nothing', { hangUp: true }, 'unavailable'],
  ['too much', { body: { text: 'x'.repeat(300_000) } }, 'unavailable'],
  ['no JSON', { body: '{' }, 'not_verified'],
  ['no object', { body: [] }, 'not_verified'],
  ['no ID token', { body: { access_token: 'x', token_type: 'bearer' } }, 'not_verified'],
  ['no token', { body: { access_token: 'x', token_type: 'bearer', id_token: 'a.b.c' } }, 'not_verified'],
])('no one is signed in if the provider answers the code with %s', async (_what, answer, reason) => {
  provider.answerNextWith({ path: '/token', ...answer })
  expect((await signIn()).progress).toEqual({ state: 'failed', reason })
})

test('a provider may accept the secret in the form, and identify the person at the UserInfo endpoint', async () => {
  const other = await startOpenIdProvider({
    relyingParty: service,
    authentication: 'client_secret_post',
    claimsIn: 'userinfo',
  })
  opened.use(other)
  const { app } = await deploy(
    {
      NUMERA_OIDC_PERSONAL_NUMBER_CLAIM: 'nin',
      NUMERA_OIDC_NAME_CLAIM: 'given_name',
      NUMERA_OIDC_SCOPES: 'openid profile nin',
    },
    other,
  )
  const signInThere = async () => {
    const begun = await begin(app)
    await comeBack(begun.browser, await other.visit(begun.openUrl, tolvan))
    return { ...begun, progress: await collect(begun) }
  }
  const { browser, progress } = await signInThere()
  expect(progress.state).toBe('complete')
  expect((await browser.get('/console/session')).body.name).toBe('Tolvan')
  for (const [answer, reason] of [
    [{ body: { sub: 'another person', nin: tolvan, given_name: 'Eva' } }, 'not_verified'],
    [{ status: 500 }, 'unavailable'],
    [{ status: 401, body: {} }, 'unavailable'],
  ] as const) {
    other.answerNextWith({ path: '/me', ...answer })
    expect((await signInThere()).progress).toEqual({ state: 'failed', reason })
  }
})
