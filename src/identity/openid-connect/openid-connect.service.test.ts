import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  startOpenIdProvider,
  type ForcedAnswer,
  type OpenIdProviderStandIn,
  type TokenFault,
} from '../../../stand-ins/openid-provider/start-openid-provider.ts'
import type { App } from '../../http/contract.ts'
import { buildApp } from '../../service/app.ts'
import { createConsoleClient, type ConsoleClient } from '../../testing/console-client.ts'
import { seedCompany } from '../../testing/seed.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { createTestContext, type TestContext } from '../../testing/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { backChannelLogoutRate } from './openid-connect-routes.ts'
import { openIdConnectOrderMs, type OpenIdConnectProvider } from './open-openid-connect.ts'
import { providerKeysPauseMs, providerPauseMs } from './find-provider.ts'

const service = 'http://localhost:8080'
const tolvan = '191212121212'
const minuteMs = 60_000

let database: TestDatabase
let provider: OpenIdProviderStandIn
/** Everything that was logged, as it was written. */
let logged = ''
const opened = new AsyncDisposableStack()

interface Deployment {
  context: TestContext
  app: App
}

/** A service that signs people in through the stand-in, by the right time. */
const deploy = async (environment: NodeJS.ProcessEnv = {}, at = provider): Promise<Deployment> => {
  const context = createTestContext(database.pool, {
    environment: { ...at.environment, ...environment },
    clock: createTestClock(Date.now()),
    log: pino({ level: 'trace' }, { write: (line) => void (logged += line) }),
  })
  const app = await buildApp(context)
  opened.defer(() => app.close())
  return { context, app }
}

let usual: Deployment
beforeAll(async () => {
  database = await createTestDatabase()
  provider = await startOpenIdProvider({ relyingParty: service })
  opened.use(provider)
  usual = await deploy()
})
beforeEach(async () => {
  provider.answerAsUsual()
  usual.context.clock.set(Date.now())
  // Some tests move the clock: what a network has left is by that time.
  await database.pool.query('delete from rate_buckets')
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await opened.disposeAsync()
  await database[Symbol.asyncDispose]()
})

interface Begun {
  browser: ConsoleClient
  orderId: string
  openUrl: string
}

const begin = async (app: App, headers: Record<string, string> = {}): Promise<Begun> => {
  const browser = createConsoleClient(app)
  const { status, body } = await browser.post('/console/sign-in', { return_to: '/invitations?x=1' }, headers)
  expect(status).toBe(200)
  return { browser, orderId: body.order_id, openUrl: body.presentation.open_url }
}

/** The browser follows the provider to an address of the service. */
const comeBack = (browser: ConsoleClient, callback: string) => {
  const { pathname, search } = new URL(callback)
  return browser.get(`${pathname}${search}`)
}

const collect = async ({ browser, orderId }: Begun) =>
  (await browser.post(`/console/sign-in/${orderId}/collect`)).body

/** A whole sign-in, and what the page finds when it collects. */
const signIn = async (app: App = usual.app, personalNumber: string | undefined = tolvan) => {
  const begun = await begin(app)
  const back = await comeBack(begun.browser, await provider.visit(begun.openUrl, personalNumber))
  expect(back.status).toBe(303)
  expect(back.headers['location']).toBe(`${service}/invitations?x=1`)
  return { ...begun, progress: await collect(begun) }
}

const tokenCalls = (): number => provider.calls.filter((path) => path === '/token').length

const seconds = (): number => Math.floor(Date.now() / 1_000)

const logOut = (form: Record<string, string> | string, headers: Record<string, string> = {}) =>
  usual.app.inject({
    method: 'POST',
    url: '/sign-in/back-channel-logout',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
const statusOf = async (browser: ConsoleClient) => (await browser.get('/console/session')).status

describe('signing in', () => {
  test('a person goes to the provider, comes back to the page they left, and is signed in', async () => {
    const begun = await begin(usual.app, { 'accept-language': 'sv' })
    expect(await collect(begun)).toEqual({
      state: 'pending',
      hint: 'outstanding',
      presentation: { open_url: begun.openUrl },
    })
    const callback = await provider.visit(begun.openUrl, tolvan)
    const request = Object.fromEntries(provider.requests.at(-1)!)
    expect(request).toMatchObject({
      response_type: 'code',
      redirect_uri: `${service}/sign-in/callback`,
      scope: 'openid profile',
      code_challenge_method: 'S256',
      prompt: 'login',
      ui_locales: 'sv',
    })
    expect(request['acr_values']).toBeUndefined()
    for (const name of ['state', 'nonce', 'code_challenge']) expect(request[name]).toMatch(/^[\w-]{43}$/)

    const back = await comeBack(begun.browser, callback)
    expect(back).toMatchObject({
      status: 303,
      body: undefined,
      headers: {
        location: `${service}/invitations?x=1`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    })
    expect((await begun.browser.get('/console/session')).status).toBe(401)
    expect(await collect(begun)).toMatchObject({ state: 'complete' })
    expect((await begun.browser.get('/console/session')).body).toMatchObject({
      name: 'Tolvan Tolvansson',
      identity: { provider: 'oidc', demo: false, signs: false },
    })
  })

  test('it is the member with that personal number who is signed in', async () => {
    const { memberId } = (await seedCompany(usual.context, { ownerPersonalNumber: '189001019802' })).owner
    expect((await signIn(usual.app, '189001019802')).progress).toEqual({
      state: 'complete',
      member_id: memberId,
    })
  })

  test('who is signed in cannot sign where no electronic identity can, and reads why', async () => {
    const { company, owner } = await seedCompany(usual.context, { ownerPersonalNumber: '189001039800' })
    const { browser, progress } = await signIn(usual.app, '189001039800')
    expect(progress.member_id).toBe(owner.memberId)
    const connections = `/console/companies/${company.companyId}/connections`
    const { body } = await browser.post(connections, {
      name: 'Connector',
      source_id: null,
      permissions: ['metrics.read'],
      kind: 'production',
      credential_kind: 'client',
    })
    expect(await browser.post(`${connections}/${body.connection.connection_id}/sign`)).toMatchObject({
      status: 403,
      body: {
        code: 'permission_denied',
        message: 'The electronic identity of this deployment signs people in, and cannot sign.',
      },
    })
  })

  test('whoever gives up at the provider has refused', async () => {
    const begun = await begin(usual.app)
    const before = tokenCalls()
    await comeBack(begun.browser, await provider.visit(begun.openUrl, undefined))
    expect(await collect(begun)).toEqual({ state: 'failed', reason: 'refused' })
    expect(tokenCalls()).toBe(before)
  })

  test('an answer counts once: what comes again changes nothing, and asks the provider nothing', async () => {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    await comeBack(begun.browser, callback)
    const before = tokenCalls()
    for (const again of [callback, callback.replace(/code=[^&]*/, 'error=access_denied')]) {
      expect((await comeBack(begun.browser, again)).headers['location']).toBe(`${service}/invitations?x=1`)
    }
    expect(tokenCalls()).toBe(before)
    expect(await collect(begun)).toMatchObject({ state: 'complete' })
  })

  test('an answer is what its query says, however its address is written', async () => {
    const begun = await begin(usual.app)
    const { search } = new URL(await provider.visit(begun.openUrl, tolvan))
    expect((await begun.browser.get(`/sign-in/%63allback${search}`)).status).toBe(303)
    expect((await collect(begun)).state).toBe('complete')
    const oidc = usual.context.identity.signIn as OpenIdConnectProvider
    expect(await oidc.answer(`http://evil.example/sign-in/callback${search}`, undefined)).toBe(
      `${service}/sign-in`,
    )
  })

  test('an answer in another browser than the one that began signs nobody in, in neither of them', async () => {
    for (const stranger of [createConsoleClient(usual.app), (await begin(usual.app)).browser]) {
      const begun = await begin(usual.app)
      const callback = await provider.visit(begun.openUrl, tolvan)
      const before = tokenCalls()
      const back = await comeBack(stranger, callback)
      expect([back.status, back.headers['location']]).toEqual([303, `${service}/sign-in`])
      expect(tokenCalls()).toBe(before)
      await comeBack(begun.browser, callback)
      expect(await collect(begun)).toEqual({ state: 'failed', reason: 'not_verified' })
    }
  })

  test('the code of another order is worth nothing', async () => {
    const [one, other] = [await begin(usual.app), await begin(usual.app)]
    const codeOf = async ({ openUrl }: Begun) =>
      new URL(await provider.visit(openUrl, tolvan)).searchParams.get('code')!
    const callback = new URL(await provider.visit(one.openUrl, tolvan))
    callback.searchParams.set('code', await codeOf(other))
    await comeBack(one.browser, callback.href)
    expect(await collect(one)).toEqual({ state: 'failed', reason: 'not_verified' })
  })

  test('an answer that comes too late is none', async () => {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    usual.context.clock.advance(openIdConnectOrderMs)
    await comeBack(begun.browser, callback)
    expect(await collect(begun)).toEqual({ state: 'failed', reason: 'expired' })
  })

  test('an order that was given up takes no answer', async () => {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    await begun.browser.post(`/console/sign-in/${begun.orderId}/cancel`)
    const before = tokenCalls()
    await comeBack(begun.browser, callback)
    expect(tokenCalls()).toBe(before)
  })

  test.each([
    ['no order', '/sign-in/callback'],
    ['a made-up order', `/sign-in/callback?state=${'a'.repeat(43)}&code=x`],
    ['an order in other letters', '/sign-in/callback?state=%00%27&code=x'],
  ])('an answer to %s leads to the page for signing in', async (_what, path) => {
    const answer = await createConsoleClient(usual.app).get(path)
    expect([answer.status, answer.headers['location']]).toEqual([303, `${service}/sign-in`])
  })

  test('a look at the headers of an answer does not take it', async () => {
    const begun = await begin(usual.app)
    const { pathname, search } = new URL(await provider.visit(begun.openUrl, tolvan))
    expect((await begun.browser.send('HEAD', `${pathname}${search}`)).status).toBe(405)
    await begun.browser.get(`${pathname}${search}`)
    expect(await collect(begun)).toMatchObject({ state: 'complete' })
  })

  test.each<[string, (callback: URL) => void, string]>([
    [
      'of another issuer',
      ({ searchParams }) => searchParams.set('iss', 'https://evil.example'),
      'not_verified',
    ],
    ['without the issuer it should name', ({ searchParams }) => searchParams.delete('iss'), 'not_verified'],
    ['with two codes', ({ searchParams }) => searchParams.append('code', 'other'), 'not_verified'],
    ['without a code', ({ searchParams }) => searchParams.delete('code'), 'not_verified'],
    ['with a made-up code', ({ searchParams }) => searchParams.set('code', 'made-up'), 'not_verified'],
    ...['login_required', 'invalid_request', 'server_error', 'temporarily_unavailable', 'Ünknown <b>'].map(
      (error): [string, (callback: URL) => void, string] => [
        `with the error ${error}`,
        ({ searchParams }) => searchParams.set('error', error),
        'unavailable',
      ],
    ),
    [
      'with the error access_denied of another issuer',
      ({ searchParams }) => {
        searchParams.set('error', 'access_denied')
        searchParams.set('iss', 'https://evil.example')
      },
      'not_verified',
    ],
  ])('an answer %s has failed', async (_what, change, reason) => {
    const begun = await begin(usual.app)
    const callback = new URL(await provider.visit(begun.openUrl, tolvan))
    change(callback)
    const back = await comeBack(begun.browser, callback.href)
    expect([back.status, back.headers['location']]).toEqual([303, `${service}/invitations?x=1`])
    expect(await collect(begun)).toEqual({ state: 'failed', reason })
  })
})

describe('an ID token', () => {
  test.each<[string, () => TokenFault]>([
    ['with another nonce', () => ({ claims: { nonce: 'other' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['for another client', () => ({ claims: { aud: 'other' } })],
    ['for several clients, of another one', () => ({ claims: { aud: ['numera-trial', 'b'], azp: 'b' } })],
    ['that has expired', () => ({ claims: { exp: seconds() - 120 } })],
    ['that is from tomorrow', () => ({ claims: { iat: seconds() + 86_400, exp: seconds() + 90_000 } })],
    ['from an hour ago', () => ({ claims: { iat: seconds() - 3_600 } })],
    ['of a sign-in before this one', () => ({ claims: { auth_time: seconds() - 3_600 } })],
    ['without a signature', () => ({ signature: 'none' })],
    ['signed with the client’s secret', () => ({ signature: 'secret' })],
    ['signed by a stranger', () => ({ signature: 'stranger' })],
    ['with a changed signature', () => ({ signature: 'spoiled' })],
    ['without a personal number', () => ({ claims: { ssn: undefined } })],
    ['with a personal number that is none', () => ({ claims: { ssn: '191212121213' } })],
    ['with a personal number that is a number', () => ({ claims: { ssn: 191212121212 } })],
    ['with ten digits', () => ({ claims: { ssn: '1212121212' } })],
    ['whose name turns the writing', () => ({ claims: { name: 'Eva \u202e' } })],
    ['whose name is empty', () => ({ claims: { name: '' } })],
  ])('%s signs nobody in', async (_what, fault) => {
    provider.spoilNextIdToken(fault())
    // Who the UserInfo endpoint would name is not asked where the ID token has said it.
    provider.answerNextWith({ path: '/me', body: { sub: 'x' } })
    expect((await signIn()).progress).toEqual({ state: 'failed', reason: 'not_verified' })
  })

  test('may write the number with a sign', async () => {
    const { member_id } = (await signIn()).progress
    provider.spoilNextIdToken({ claims: { ssn: '19121212-1212' } })
    expect((await signIn()).progress).toEqual({ state: 'complete', member_id })
  })

  test('may have a name of any length', async () => {
    provider.spoilNextIdToken({ claims: { name: 'Å'.repeat(5_000) } })
    const { browser } = await signIn()
    expect((await browser.get('/console/session')).body.name).toBe('Å'.repeat(100))
  })

  test('must have one of the levels of assurance that are requested', async () => {
    const { app } = await deploy({ NUMERA_OIDC_ACR_VALUES: 'urn:loa3, urn:loa4' })
    expect((await signIn(app)).progress.state).toBe('complete')
    expect(provider.requests.at(-1)!.get('acr_values')).toBe('urn:loa3 urn:loa4')
    for (const acr of ['urn:loa2', undefined]) {
      provider.spoilNextIdToken({ claims: { acr } })
      expect((await signIn(app)).progress).toEqual({ state: 'failed', reason: 'not_verified' })
    }
  })

  test('is believed by the deployment’s clock, not by that of the machine', async () => {
    expect((await signIn()).progress.state).toBe('complete')
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    usual.context.clock.advance(5 * minuteMs)
    provider.spoilNextIdToken({ claims: { exp: seconds() + 60 } })
    await comeBack(begun.browser, callback)
    expect(await collect(begun)).toEqual({ state: 'failed', reason: 'not_verified' })

    usual.context.clock.advance(60 * minuteMs)
    const later = await begin(usual.app)
    const ahead = seconds() + 65 * 60
    provider.spoilNextIdToken({ claims: { iat: ahead, exp: ahead + 60, auth_time: ahead } })
    await comeBack(later.browser, await provider.visit(later.openUrl, tolvan))
    expect(await collect(later)).toMatchObject({ state: 'complete' })
  })

  test('is believed on a machine whose clock is an hour ahead', async () => {
    const { app, context } = await deploy()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * minuteMs })
    const right = Math.floor(context.clock.now() / 1_000)
    provider.spoilNextIdToken({ claims: { iat: right, exp: right + 300, auth_time: right } })
    expect((await signIn(app)).progress.state).toBe('complete')
  })

  test('of a key that is new is believed once the keys may be asked for again', async () => {
    const other = await startOpenIdProvider({ relyingParty: service })
    opened.use(other)
    const { app } = await deploy({}, other)
    // The clock stands still: the keys came just now, however slow the machine is.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    expect((await signIn(app)).progress.state).toBe('complete')
    await other.rotateKeys()
    const keyCalls = () => other.calls.filter((path) => path === '/jwks').length
    const before = keyCalls()
    expect((await signIn(app)).progress).toEqual({ state: 'failed', reason: 'not_verified' })
    expect(keyCalls()).toBe(before)
    vi.setSystemTime(Date.now() + providerKeysPauseMs)
    expect((await signIn(app)).progress.state).toBe('complete')
    expect(keyCalls()).toBe(before + 1)
  })
})

describe('the provider', () => {
  test.each<[string, Omit<ForcedAnswer, 'path'>, string]>([
    ['500', { status: 500, body: 'out of order' }, 'unavailable'],
    ['503 as an error of OAuth', { status: 503, body: { error: 'temporarily_unavailable' } }, 'unavailable'],
    ['that the client is wrong', { status: 401, body: { error: 'invalid_client' } }, 'unavailable'],
    ['that the code is wrong', { status: 400, body: { error: 'invalid_grant' } }, 'not_verified'],
    ['nothing', { hangUp: true }, 'unavailable'],
    ['too much', { body: { text: 'x'.repeat(300_000) } }, 'unavailable'],
    ['no JSON', { body: '{' }, 'not_verified'],
    ['no object', { body: [] }, 'not_verified'],
    ['no ID token', { body: { access_token: 'x', token_type: 'bearer' } }, 'not_verified'],
    ['no token', { body: { access_token: 'x', token_type: 'bearer', id_token: 'a.b.c' } }, 'not_verified'],
  ])('that answers the code with %s signs nobody in', async (_what, answer, reason) => {
    provider.answerNextWith({ path: '/token', ...answer })
    expect((await signIn()).progress).toEqual({ state: 'failed', reason })
  })

  test('that takes too long is away', async () => {
    provider.answerNextWith({ path: '/token', delayMs: 20_000 })
    expect((await signIn()).progress).toEqual({ state: 'failed', reason: 'unavailable' })
  })

  test('that is away when the service starts signs people in once it is back, and is not asked all the time', async () => {
    const { app, context } = await deploy()
    const asked = () => provider.calls.filter((path) => path.startsWith('/.well-known')).length
    const before = asked()
    provider.answerNextWith({ path: '/.well-known/openid-configuration', hangUp: true, times: 100 })
    const away = await begin(app)
    expect(away.openUrl).toBeUndefined()
    expect(await collect(away)).toEqual({ state: 'failed', reason: 'unavailable' })
    provider.answerAsUsual()
    expect(await collect(await begin(app))).toEqual({ state: 'failed', reason: 'unavailable' })
    expect(asked()).toBe(before + 1)
    context.clock.advance(providerPauseMs)
    expect((await signIn(app)).progress.state).toBe('complete')
    expect((await signIn(app)).progress.state).toBe('complete')
    expect(asked()).toBe(before + 2)
  })

  test.each<[string, Omit<ForcedAnswer, 'path'>]>([
    ['another issuer', { body: { issuer: 'https://evil.example' } }],
    ['nothing', { body: {} }],
    ['no JSON', { body: '<html>' }],
    ['500', { status: 500 }],
  ])('whose metadata says %s is unavailable', async (_what, answer) => {
    const { app } = await deploy()
    provider.answerNextWith({ path: '/.well-known/openid-configuration', ...answer })
    expect(await collect(await begin(app))).toEqual({ state: 'failed', reason: 'unavailable' })
  })

  test('whose keys are away is unavailable', async () => {
    const { app } = await deploy()
    provider.answerNextWith({ path: '/jwks', status: 503 })
    expect((await signIn(app)).progress).toEqual({ state: 'failed', reason: 'unavailable' })
    expect((await signIn(app)).progress.state).toBe('complete')
  })

  test('may take the secret in the form, and say who it is at the UserInfo endpoint', async () => {
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
      [{ body: { sub: 'somebody else', nin: tolvan, given_name: 'Eva' } }, 'not_verified'],
      [{ status: 500 }, 'unavailable'],
      [{ status: 401, body: {} }, 'unavailable'],
    ] as const) {
      other.answerNextWith({ path: '/me', ...answer })
      expect((await signInThere()).progress).toEqual({ state: 'failed', reason })
    }
  })
})

describe('back-channel logout', () => {
  test('ends the session of the sign-in that the token names, and no other', async () => {
    const one = await signIn()
    const named = provider.signIns.at(-1)!
    const other = await signIn()
    const answer = await logOut({ logout_token: await provider.makeLogoutToken(named) })
    expect([answer.statusCode, answer.payload, answer.headers['cache-control']]).toEqual([
      200,
      '',
      'no-store',
    ])
    expect([await statusOf(one.browser), await statusOf(other.browser)]).toEqual([401, 200])
  })

  test('ends all sessions of the person where the token names no sign-in, and nobody else’s', async () => {
    const sessions = [await signIn(), await signIn()]
    const named = provider.signIns.at(-1)!
    const stranger = await signIn(usual.app, '189001029819')
    const token = await provider.makeLogoutToken(named, { claims: { sid: undefined } })
    expect((await logOut({ logout_token: token })).statusCode).toBe(200)
    expect(await Promise.all(sessions.map(({ browser }) => statusOf(browser)))).toEqual([401, 401])
    expect(await statusOf(stranger.browser)).toBe(200)
  })

  test('ends a session whose sign-in came without a name, by the person, and no named one of theirs', async () => {
    const named = await signIn()
    provider.spoilNextIdToken({ claims: { sid: undefined } })
    const unnamed = await signIn()
    const token = await provider.makeLogoutToken(provider.signIns.at(-1)!)
    expect((await logOut({ logout_token: token })).statusCode).toBe(200)
    expect([await statusOf(named.browser), await statusOf(unnamed.browser)]).toEqual([200, 401])
  })

  test('of a sign-in that is not there is no fault', async () => {
    const token = await provider.makeLogoutToken({ sid: 'unknown', sub: 'unknown' })
    expect((await logOut({ logout_token: token })).statusCode).toBe(200)
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
    ['that has expired', () => ({ claims: { exp: seconds() - 120 } })],
    ['from an hour ago', () => ({ claims: { iat: seconds() - 3_600 } })],
    ['that names nobody', () => ({ claims: { sid: undefined, sub: undefined } })],
    ['that names a number', () => ({ claims: { sid: 1 } })],
    ['without a signature', () => ({ signature: 'none' })],
    ['signed with the client’s secret', () => ({ signature: 'secret' })],
    ['signed by a stranger', () => ({ signature: 'stranger' })],
    ['with a changed signature', () => ({ signature: 'spoiled' })],
  ])('a token %s is refused, and ends nothing', async (_what, fault) => {
    const { browser } = await signIn()
    const token = await provider.makeLogoutToken(provider.signIns.at(-1)!, fault())
    const answer = await logOut({ logout_token: token })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toMatchObject({ code: 'invalid_argument', field: 'logout_token' })
    expect(answer.payload).not.toContain(token.slice(0, 40))
    expect(await statusOf(browser)).toBe(200)
  })

  test('a token is used once', async () => {
    await signIn()
    const token = await provider.makeLogoutToken(provider.signIns.at(-1)!)
    expect((await logOut({ logout_token: token })).statusCode).toBe(200)
    expect((await logOut({ logout_token: token })).statusCode).toBe(400)
  })

  test('an ID token is no logout token', async () => {
    const token = await provider.makeLogoutToken(provider.signIns.at(-1)!, {
      typ: 'JWT',
      claims: { events: undefined, nonce: 'n' },
    })
    expect((await logOut({ logout_token: token })).statusCode).toBe(400)
  })

  test('takes a form with one token', async () => {
    const token = await provider.makeLogoutToken(provider.signIns.at(-1)!)
    for (const form of [
      '',
      'logout_token=',
      `logout_token=${token}&logout_token=${token}`,
      'logout_token=a.b',
    ]) {
      expect((await logOut(form)).statusCode, form.slice(0, 20)).toBe(400)
    }
    const json = { 'content-type': 'application/json' }
    expect((await logOut({ logout_token: token }, json)).statusCode).toBe(400)
    expect((await logOut({ logout_token: token }, { 'content-type': 'text/plain' })).statusCode).toBe(415)
    expect((await logOut({ logout_token: 'x'.repeat(20_000) })).statusCode).toBe(413)
  })

  test('is bounded for each network', async () => {
    const statuses = new Set<number>()
    for (let calls = 0; calls <= backChannelLogoutRate.burst; calls += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => logOut('logout_token=x')))
      for (const { statusCode } of answers) statuses.add(statusCode)
    }
    expect([...statuses].toSorted()).toEqual([400, 429])
    usual.context.clock.advance(minuteMs)
    expect((await logOut('logout_token=x')).statusCode).toBe(400)
  })
})

test('no personal number, code, token or secret is logged, and none is in the database as it is', async () => {
  provider.spoilNextIdToken({ claims: { acr: undefined, nonce: 'wrong' } })
  await signIn()
  const callback = await provider.visit((await begin(usual.app)).openUrl, tolvan)
  await comeBack(createConsoleClient(usual.app), callback)
  const { browser } = await signIn()
  await usual.app.inject({
    method: 'POST',
    url: '/sign-in/back-channel-logout',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      logout_token: await provider.makeLogoutToken(provider.signIns.at(-1)!, { signature: 'stranger' }),
    }).toString(),
  })
  const { searchParams } = new URL(callback)
  const secrets = [
    tolvan,
    searchParams.get('code')!,
    searchParams.get('state')!,
    provider.environment['NUMERA_OIDC_CLIENT_SECRET']!,
    browser.cookies.get('numera_session')!,
    provider.signIns.at(-1)!.sub,
    'eyJ',
  ]
  expect(logged).toContain('a sign-in at the OpenID Connect provider failed')
  for (const secret of secrets) expect(logged).not.toContain(secret)
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  )
  for (const { name } of tables) {
    for (const secret of [tolvan, provider.signIns.at(-1)!.sub, provider.signIns.at(-1)!.sid]) {
      const { rows } = await database.pool.query(
        `select 1 from ${name} t where t::text like '%' || $1 || '%'`,
        [secret],
      )
      expect(rows, name).toEqual([])
    }
  }
})

test('a deployment with another electronic identity knows neither address', async () => {
  const app = await buildApp(createTestContext(database.pool))
  opened.defer(() => app.close())
  expect((await app.inject({ url: '/sign-in/callback?state=x' })).statusCode).toBe(404)
  const logout = await app.inject({
    method: 'POST',
    url: '/sign-in/back-channel-logout',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'logout_token=x',
  })
  expect(logout.statusCode).toBe(404)
})
