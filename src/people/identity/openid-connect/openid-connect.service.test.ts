import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  startOpenIdProvider,
  type ForcedAnswer,
  type OpenIdProviderStandIn,
  type TokenFault,
} from '../../../../stand-ins/openid-provider/start-openid-provider.ts'
import type { App } from '../../../platform/http/contract.ts'
import { buildApp } from '../../../app/app.ts'
import { createPool } from '../../../platform/database/pool.ts'
import { createBreakableDatabase } from '../../../../testing/faults/breakable-database.ts'
import { createConsoleClient, type ConsoleClient } from '../../../../testing/in-process/console-client.ts'
import { approveDemoOrder, seedCompany } from '../../../../testing/in-process/seed.ts'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { createTestContext, type TestContext } from '../../../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../../../testing/in-process/test-database.ts'
import { addMember } from '../../../console/memberships/add-member.ts'
import { selectIsEnded } from '../../sessions/queries.ts'
import { orderLifetimeMs } from '../order.ts'
import { backChannelLogoutRate, refusedLogoutLineMs } from './routes.ts'
import { sealedOpenIdConnectOrders } from '../sealed-tables.ts'
import {
  answerCheckMsMax,
  logoutChecksMax,
  openIdConnectOrderMs,
  type OpenIdConnect,
} from './openid-connect.ts'
import {
  providerClockSecondsMax,
  providerKeysPauseMs,
  providerMetadataKeptMs,
  providerMetadataMs,
  providerPauseMs,
} from './find-provider.ts'

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
  // Of the same second, they end what the next test begins.
  await database.pool.query('delete from used_logout_tokens')
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

/** A sign-in that is complete at the provider, and that no page has collected. */
const answer = async (app: App = usual.app, personalNumber = tolvan): Promise<Begun> => {
  const begun = await begin(app)
  await comeBack(begun.browser, await provider.visit(begun.openUrl, personalNumber))
  return begun
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

test('an answer leads to a page of the service and nowhere else, however a sign-in was begun', async () => {
  const browser = createConsoleClient(usual.app)
  for (const return_to of [
    '/oauth/authorize?client_id=app-1#',
    '/sign-in#a',
    '//elsewhere.example',
    '/v1/samples',
  ]) {
    expect(await browser.post('/console/sign-in', { return_to })).toMatchObject({
      status: 400,
      body: { field: 'return_to' },
    })
  }
})

/** How often the metadata could not be had. */
const refusals = (): number =>
  logged.split('the OpenID Connect provider does not give its metadata').length - 1

/** How often a sign-in was logged as one that failed. */
const warnings = (): number => logged.split('a sign-in at the OpenID Connect provider failed').length - 1

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

/** The `state` of its request. */
const referenceOf = ({ openUrl }: Begun): string => new URL(openUrl).searchParams.get('state')!

/** What an order keeps, as it is under its seal. */
const keptOf = (begun: Begun, sealed: Buffer) =>
  JSON.parse(sealedOpenIdConnectOrders.unseal(usual.context, { reference: referenceOf(begun) }, sealed))

const ended = { state: 'failed', reason: 'ended' }

/** A counter of the usual deployment, for one outcome. */
const countOf = async (metric: string, outcome: string, { context } = usual): Promise<number> => {
  const text = await context.telemetry.registry.getSingleMetricAsString(metric)
  return Number(new RegExp(`outcome="${outcome}"[^}]*} (\\d+)`).exec(text)?.[1] ?? 0)
}
const signInsWith = (outcome: string, of = usual) =>
  countOf('numera_openid_connect_sign_ins_total', outcome, of)

/** Those that an alert pages for, and those that anyone can cause with a browser. */
const wakingSignIns = async () => (await signInsWith('unavailable')) + (await signInsWith('not_verified'))
const otherSignIns = async () =>
  (await signInsWith('bad_callback')) + (await signInsWith('refused_by_provider'))

const logoutsWith = (outcome: string, of = usual) => countOf('numera_back_channel_logouts_total', outcome, of)

/** How often the refusal of a logout token was logged at the level `warn`. */
const toldRefusals = (): number => logged.match(/"level":40[^\n]*a logout token was refused/g)?.length ?? 0

/** All that was counted of sign-ins, as it is served. */
const countsOfSignIns = (): Promise<string> =>
  usual.context.telemetry.registry.getSingleMetricAsString('numera_openid_connect_sign_ins_total')

/** Work while another connection locks rows or tables, until `release` is called. */
const whileLocked = async (
  statement: string,
  values: unknown[],
  work: (release: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  const client = await database.pool.connect()
  // A test that fails may take longer than a transaction may be idle: it says why itself.
  client.on('error', () => {})
  try {
    await client.query('begin')
    await client.query(statement, values)
    await work(async () => void (await client.query('commit')))
    // Fails where it took so long that the server ended the lock.
    await client.query('commit')
  } finally {
    // Its locks go with it.
    client.release(true)
  }
}
/** A connection waits for a lock of this kind, as the server calls it. */
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
      max_age: '0',
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

  test('a person who cancels at the provider has refused', async () => {
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
    const oidc = usual.context.identity.signIn as OpenIdConnect
    expect(await oidc.answer(`http://evil.example/sign-in/callback${search}`, undefined)).toBe(
      `${service}/sign-in`,
    )
  })

  test('an answer in another browser than the one that began signs no one in, in neither of them', async () => {
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

  test('an answer that comes again after the session was made, or after it was given up, is neither counted nor logged', async () => {
    const signedIn = await begin(usual.app)
    const used = await provider.visit(signedIn.openUrl, tolvan)
    await comeBack(signedIn.browser, used)
    expect((await collect(signedIn)).state).toBe('complete')
    const givenUp = await begin(usual.app)
    const late = await provider.visit(givenUp.openUrl, tolvan)
    await givenUp.browser.post(`/console/sign-in/${givenUp.orderId}/cancel`)
    const tooLate = await provider.visit((await begin(usual.app)).openUrl, tolvan)
    usual.context.clock.advance(openIdConnectOrderMs)
    const before = [await countsOfSignIns(), warnings()]
    for (const callback of [used, late, tooLate]) {
      for (const browser of [signedIn.browser, givenUp.browser, createConsoleClient(usual.app)]) {
        expect((await comeBack(browser, callback)).status).toBe(303)
      }
    }
    expect([await countsOfSignIns(), warnings()]).toEqual(before)
  })

  test('a look from elsewhere while the answer is checked does not end it', async () => {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    const held = Promise.withResolvers<void>()
    const before = tokenCalls()
    provider.answerNextWith({ path: '/token', until: held.promise })
    const back = comeBack(begun.browser, callback)
    await expect.poll(() => tokenCalls()).toBe(before + 1)
    try {
      const look = await comeBack(createConsoleClient(usual.app), callback)
      expect(look.headers['location']).toBe(`${service}/sign-in`)
    } finally {
      held.resolve()
    }
    await back
    expect((await collect(begun)).state).toBe('complete')
  })

  test('an answer in another browser is counted by itself', async () => {
    const before = [await signInsWith('other_browser'), await signInsWith('not_verified')]
    const callback = await provider.visit((await begin(usual.app)).openUrl, tolvan)
    await comeBack(createConsoleClient(usual.app), callback)
    await comeBack(createConsoleClient(usual.app), callback)
    expect([await signInsWith('other_browser'), await signInsWith('not_verified')]).toEqual([
      before[0]! + 1,
      before[1],
    ])
  })

  test('two sign-ins begun in one browser: each answer counts', async () => {
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

  test('the code of another order is worth nothing', async () => {
    const [one, other] = [await begin(usual.app), await begin(usual.app)]
    const codeOf = async ({ openUrl }: Begun) =>
      new URL(await provider.visit(openUrl, tolvan)).searchParams.get('code')!
    const callback = new URL(await provider.visit(one.openUrl, tolvan))
    callback.searchParams.set('code', await codeOf(other))
    await comeBack(one.browser, callback.href)
    expect(await collect(one)).toEqual({ state: 'failed', reason: 'not_verified' })
  })

  test('of an answer the person and its names are kept, and no token', async () => {
    const begun = await answer()
    const { rows } = await database.pool.query<{ sealed: Buffer }>(
      'select sealed from openid_connect_orders where reference = $1',
      [referenceOf(begun)],
    )
    const { sid, sub } = provider.signIns.at(-1)!
    expect(keptOf(begun, rows[0]!.sealed)).toEqual({
      person: { personalNumber: tolvan, name: 'Tolvan Tolvansson' },
      isTimeUnknown: false,
      logoutNames: {
        issuer: provider.issuer,
        sid,
        sub,
        issuedAt: expect.stringMatching(/^\d{4}-.*:\d\d\.000Z$/),
      },
    })
  })

  test('an answer that comes too late is none', async () => {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    usual.context.clock.advance(openIdConnectOrderMs)
    await comeBack(begun.browser, callback)
    expect(await collect(begun)).toEqual({ state: 'failed', reason: 'expired' })
  })

  test('a sign-in at the provider that expired by a clock that was ahead is open again when the clock is right', async () => {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    usual.context.clock.advance(openIdConnectOrderMs)
    expect(await collect(begun)).toEqual({ state: 'failed', reason: 'expired' })
    usual.context.clock.advance(-openIdConnectOrderMs)
    expect((await collect(begun)).state).toBe('pending')
    await comeBack(begun.browser, callback)
    expect((await collect(begun)).state).toBe('complete')
  })

  test('an answer whose check has not ended when it must have has failed, and stays failed with any result', async () => {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    const held = Promise.withResolvers<void>()
    const [completeBefore, unavailableBefore] = [
      await signInsWith('complete'),
      await signInsWith('unavailable'),
    ]
    const before = tokenCalls()
    provider.answerNextWith({ path: '/token', until: held.promise })
    const back = comeBack(begun.browser, callback)
    await expect.poll(() => tokenCalls()).toBe(before + 1)
    try {
      usual.context.clock.advance(answerCheckMsMax - 1)
      expect(await collect(begun)).toEqual({ state: 'pending', hint: 'outstanding', presentation: {} })
      usual.context.clock.advance(1)
      expect(await collect(begun)).toEqual({ state: 'failed', reason: 'unavailable' })
      expect(await signInsWith('unavailable')).toBe(unavailableBefore + 1)
    } finally {
      held.resolve()
    }
    expect((await back).status).toBe(303)
    expect(await collect(begun)).toEqual({ state: 'failed', reason: 'ended' })
    expect(await signInsWith('complete')).toBe(completeBefore)
    const { searchParams } = new URL(callback)
    const { rows } = await database.pool.query(
      'select state, reason, sealed from openid_connect_orders where reference = $1',
      [searchParams.get('state')],
    )
    expect(rows).toEqual([{ state: 'failed', reason: 'unavailable', sealed: null }])
  })

  test('an answer that comes at the last moment is waited for while it is checked', async () => {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    usual.context.clock.advance(openIdConnectOrderMs - 1_000)
    const iat = Math.floor(usual.context.clock.now() / 1_000)
    provider.spoilNextIdToken({ claims: { iat, exp: iat + 60, auth_time: iat } })
    const held = Promise.withResolvers<void>()
    const before = tokenCalls()
    provider.answerNextWith({ path: '/token', until: held.promise })
    const back = comeBack(begun.browser, callback)
    await expect.poll(() => tokenCalls()).toBe(before + 1)
    usual.context.clock.advance(2_000)
    try {
      expect((await collect(begun)).state).toBe('pending')
    } finally {
      held.resolve()
    }
    await back
    expect((await collect(begun)).state).toBe('complete')
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

  test('a person who returns while the database is unavailable gets a page, and is signed in once it is back', async () => {
    const begun = await begin(usual.app)
    const { pathname, search } = new URL(await provider.visit(begun.openUrl, tolvan))
    await using breakable = await createBreakableDatabase(database.url)
    const pool = createPool({ url: breakable.url })
    const away = await buildApp(createTestContext(pool, { environment: provider.environment }))
    await breakable.takeAway()
    const headers = { 'accept-language': 'sv', accept: 'text/html' }
    for (const url of [`${pathname}${search}`, `${pathname}?state=${'a'.repeat(43)}`]) {
      const answer = await away.inject({ url, headers })
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
    // What names no order needs no database.
    for (const url of [pathname, `${pathname}?state=%00`]) {
      expect((await away.inject({ url, headers })).headers['location']).toBe(`${service}/sign-in`)
    }
    await away.close()
    await pool.end()
    await begun.browser.get(`${pathname}${search}`)
    expect((await collect(begun)).state).toBe('complete')
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
  ])(
    'an answer %s has failed, and is not counted as what pages the operator',
    async (_what, change, reason) => {
      const begun = await begin(usual.app)
      const callback = new URL(await provider.visit(begun.openUrl, tolvan))
      change(callback)
      const before = [await wakingSignIns(), await otherSignIns()]
      const back = await comeBack(begun.browser, callback.href)
      expect([back.status, back.headers['location']]).toEqual([303, `${service}/invitations?x=1`])
      expect(await collect(begun)).toEqual({ state: 'failed', reason })
      expect([await wakingSignIns(), await otherSignIns()]).toEqual([before[0], before[1]! + 1])
    },
  )
})

/** An act that needs a recent sign-in, in a company that the person owns. */
const inviteOwner = async ({ browser }: Begun) => {
  const { company } = await seedCompany(usual.context)
  await addMember(usual.context, 'operator', company.companyId, { personalNumber: tolvan, role: 'owner' })
  return browser.post(`/console/companies/${company.companyId}/invitations`, { role: 'owner' })
}

describe('a recent sign-in', () => {
  test('is one in which the provider says that the person has just identified themselves', async () => {
    expect((await inviteOwner(await signIn())).status).toBe(201)
  })

  test('is none where the provider does not say when: it may have signed them in without asking', async () => {
    provider.spoilNextIdToken({ claims: { auth_time: undefined } })
    const signedIn = await signIn()
    expect(signedIn.progress.state).toBe('complete')
    expect((await inviteOwner(signedIn)).body).toMatchObject({ code: 'sign_in_again' })
    expect(logged).toContain('does not say when a person authenticated')
  })

  test('is every sign-in of a provider that the operator takes at its word', async () => {
    const { app } = await deploy({ NUMERA_OIDC_AUTH_TIME: 'assumed' })
    provider.spoilNextIdToken({ claims: { auth_time: undefined } })
    expect((await inviteOwner(await signIn(app))).status).toBe(201)
  })
})

test('the list of one’s sessions says the browser and the network of each', async () => {
  const begun = await answer()
  await begun.browser.post(
    `/console/sign-in/${begun.orderId}/collect`,
    {},
    {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    },
  )
  const { body } = await begun.browser.get('/console/sessions')
  expect(body.sessions.find((each: { current: boolean }) => each.current)).toMatchObject({
    browser: 'Firefox',
    system: 'Linux',
    network: '127.0.0.0/24',
    provider: 'oidc',
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
    ['with ten digits and their sign', () => ({ claims: { ssn: '121212-1212' } })],
    ['with ten digits of more than a hundred years ago', () => ({ claims: { ssn: '121212+1212' } })],
    ['with a Finnish number that looks like one', () => ({ claims: { ssn: '010185-0212' } })],
    ['whose name turns the writing', () => ({ claims: { name: 'Eva \u202e' } })],
    ['whose name is empty', () => ({ claims: { name: '' } })],
  ])('%s signs no one in', async (_what, fault) => {
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
  const page = { type: 'text/html; charset=utf-8', body: '<h1>Hello</h1>' }

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
  ])('that answers the code with %s signs no one in', async (_what, answer, reason) => {
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

  test('that is unavailable is used with its old metadata, for a day, and no one waits while they are refreshed', async () => {
    const { app, context } = await deploy()
    const asked = () => provider.calls.filter((path) => path.startsWith('/.well-known')).length
    expect((await signIn(app)).progress.state).toBe('complete')
    const [before, refusalsBefore] = [asked(), refusals()]
    const begunAtMs = context.clock.now()
    context.clock.advance(providerMetadataMs - 1)
    expect((await begin(app)).openUrl).toBeDefined()
    expect(asked()).toBe(before)

    context.clock.advance(1)
    const held = Promise.withResolvers<void>()
    provider.answerNextWith({
      path: '/.well-known/openid-configuration',
      until: held.promise,
      hangUp: true,
      times: 100,
    })
    const iat = Math.floor(context.clock.now() / 1_000)
    try {
      provider.spoilNextIdToken({ claims: { iat, exp: iat + 60, auth_time: iat } })
      expect((await signIn(app)).progress.state).toBe('complete')
      expect((await begin(app)).openUrl).toBeDefined()
    } finally {
      held.resolve()
    }
    await expect.poll(() => asked()).toBe(before + 1)
    await expect.poll(() => refusals()).toBe(refusalsBefore + 1)
    context.clock.set(begunAtMs + providerMetadataKeptMs - 1)
    expect((await begin(app)).openUrl).toBeDefined()
    await expect.poll(() => refusals()).toBe(refusalsBefore + 2)
    expect(asked()).toBe(before + 2)

    context.clock.advance(providerPauseMs)
    const away = await begin(app)
    expect(away.openUrl).toBeUndefined()
    expect(await collect(away)).toEqual({ state: 'failed', reason: 'unavailable' })
  })

  test('whose metadata was refreshed in the background is not called again for an hour', async () => {
    const { app, context } = await deploy()
    const asked = () => provider.calls.filter((path) => path.startsWith('/.well-known')).length
    await begin(app)
    const before = asked()
    context.clock.advance(providerMetadataMs)
    // Asked once for all that come meanwhile.
    const held = Promise.withResolvers<void>()
    provider.answerNextWith({ path: '/.well-known/openid-configuration', until: held.promise })
    await Promise.all([begin(app), begin(app)])
    held.resolve()
    await expect.poll(() => asked()).toBe(before + 1)
    // It is used a moment after it arrived: then there is no call.
    await expect
      .poll(async () => {
        const asks = asked()
        await begin(app)
        return asked() - asks
      })
      .toBe(0)
    context.clock.advance(providerMetadataMs - 1)
    await begin(app)
    expect(asked()).toBe(before + 1)
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
      [{ body: { sub: 'another person', nin: tolvan, given_name: 'Eva' } }, 'not_verified'],
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
    const answer = await logOut({ logout_token: await provider.createLogoutToken(named) })
    expect([answer.statusCode, answer.payload, answer.headers['cache-control']]).toEqual([
      200,
      '',
      'no-store',
    ])
    expect([await statusOf(one.browser), await statusOf(other.browser)]).toEqual([401, 200])
  })

  test('ends all sessions of the person if the token names no sign-in, and no one else’s', async () => {
    const sessions = [await signIn(), await signIn()]
    const named = provider.signIns.at(-1)!
    const stranger = await signIn(usual.app, '189001029819')
    const token = await provider.createLogoutToken(named, { claims: { sid: undefined } })
    expect((await logOut({ logout_token: token })).statusCode).toBe(200)
    expect(await Promise.all(sessions.map(({ browser }) => statusOf(browser)))).toEqual([401, 401])
    expect(await statusOf(stranger.browser)).toBe(200)
  })

  test('ends a session whose sign-in came without a name, by the person, and no named one of theirs', async () => {
    const named = await signIn()
    provider.spoilNextIdToken({ claims: { sid: undefined } })
    const unnamed = await signIn()
    const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
    expect((await logOut({ logout_token: token })).statusCode).toBe(200)
    expect([await statusOf(named.browser), await statusOf(unnamed.browser)]).toEqual([200, 401])
  })

  test('of a sign-in that is not there is no fault', async () => {
    const token = await provider.createLogoutToken({ sid: 'unknown', sub: 'unknown' })
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
    ['that names no one', () => ({ claims: { sid: undefined, sub: undefined } })],
    ['that names a number', () => ({ claims: { sid: 1 } })],
    ['without a signature', () => ({ signature: 'none' })],
    ['signed with the client’s secret', () => ({ signature: 'secret' })],
    ['signed by a stranger', () => ({ signature: 'stranger' })],
    ['with a changed signature', () => ({ signature: 'spoiled' })],
  ])('a token %s is refused, and ends nothing', async (_what, fault) => {
    const { browser } = await signIn()
    const token = await provider.createLogoutToken(provider.signIns.at(-1)!, fault())
    const answer = await logOut({ logout_token: token })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toMatchObject({ code: 'invalid_argument', field: 'logout_token' })
    expect(answer.payload).not.toContain(token.slice(0, 40))
    expect(await statusOf(browser)).toBe(200)
  })

  test('a token is used once', async () => {
    await signIn()
    const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
    expect((await logOut({ logout_token: token })).statusCode).toBe(200)
    expect((await logOut({ logout_token: token })).statusCode).toBe(400)
  })

  test('an ID token is no logout token', async () => {
    const token = await provider.createLogoutToken(provider.signIns.at(-1)!, {
      typ: 'JWT',
      claims: { events: undefined, nonce: 'n' },
    })
    expect((await logOut({ logout_token: token })).statusCode).toBe(400)
  })

  test('takes a form with one token', async () => {
    const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
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

  describe('while a sign-in is being finished', () => {
    test.each<[string, Record<string, undefined>]>([
      ['sign-in and person', {}],
      ['the sign-in alone', { sub: undefined }],
      ['the person alone', { sid: undefined }],
    ])('ends it before the page has collected it: named by %s', async (_what, claims) => {
      await database.pool.query('delete from sessions')
      const begun = await answer()
      const before = [
        await signInsWith('ended'),
        await countOf('numera_back_channel_logouts_total', 'no_session'),
      ]
      const token = await provider.createLogoutToken(provider.signIns.at(-1)!, { claims })
      expect((await logOut({ logout_token: token })).statusCode).toBe(200)
      expect([await collect(begun), await collect(begun)]).toEqual([ended, ended])
      expect(await statusOf(begun.browser)).toBe(401)
      expect([
        await signInsWith('ended'),
        await countOf('numera_back_channel_logouts_total', 'no_session'),
      ]).toEqual(before.map((count) => count + 1))
      const { rows } = await database.pool.query('select state from identity_orders where order_id = $1', [
        begun.orderId,
      ])
      expect(rows).toEqual([{ state: 'failed' }])
    })

    test('ends it while the answer is still being checked', async () => {
      const other = await deploy()
      const begun = await begin(other.app)
      const callback = await provider.visit(begun.openUrl, tolvan)
      const held = Promise.withResolvers<void>()
      const before = provider.signIns.length
      // The ID token is made by then.
      provider.answerNextWith({ path: '/jwks', until: held.promise })
      const back = comeBack(begun.browser, callback)
      await expect.poll(() => provider.signIns.length).toBe(before + 1)
      // Its keys are here from before.
      const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
      try {
        expect((await logOut({ logout_token: token })).statusCode).toBe(200)
        expect(await collect(begun)).toMatchObject({ state: 'pending' })
      } finally {
        held.resolve()
      }
      expect((await back).status).toBe(303)
      expect([await collect(begun), await statusOf(begun.browser)]).toEqual([ended, 401])
      expect(await signInsWith('ended', other)).toBe(1)
    })

    test('waits for a session that is just being made, and ends it', async () => {
      const { member_id } = (await signIn(usual.app, '189001019802')).progress
      const begun = await answer(usual.app, '189001019802')
      const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
      const member = 'select from members where member_id = $1 for update'
      await whileLocked(member, [member_id], async (release) => {
        const collecting = collect(begun)
        await untilWaiting('row')
        const loggingOut = logOut({ logout_token: token })
        await untilWaiting('advisory')
        await release()
        expect(await collecting).toMatchObject({ state: 'complete' })
        expect((await loggingOut).statusCode).toBe(200)
      })
      expect(await statusOf(begun.browser)).toBe(401)
    })

    test('is waited for where it has just come, and no session is made', async () => {
      const first = await signIn(usual.app, '189001019802')
      const begun = await answer(usual.app, '189001019802')
      const token = await provider.createLogoutToken(provider.signIns.at(-1)!, { claims: { sid: undefined } })
      const sessions = 'select from sessions where member_id = $1 for update'
      await whileLocked(sessions, [first.progress.member_id], async (release) => {
        const loggingOut = logOut({ logout_token: token })
        await untilWaiting('row')
        const collecting = collect(begun)
        await untilWaiting('advisory')
        await release()
        expect((await loggingOut).statusCode).toBe(200)
        expect(await collecting).toEqual(ended)
      })
      expect([await statusOf(first.browser), await statusOf(begun.browser)]).toEqual([401, 401])
    })

    test('delays no other sign-in', async () => {
      const { member_id } = (await signIn(usual.app, '189001019802')).progress
      const [held, free] = [await answer(usual.app, '189001019802'), await answer()]
      const member = 'select from members where member_id = $1 for update'
      await whileLocked(member, [member_id], async (release) => {
        const collecting = collect(held)
        await untilWaiting('row')
        expect(await collect(free)).toMatchObject({ state: 'complete' })
        await release()
        expect(await collecting).toMatchObject({ state: 'complete' })
      })
    })

    test('lets a person in who signs in again after it', async () => {
      await signIn()
      const named = provider.signIns.at(-1)!
      const iat = seconds() - 5
      for (const sid of [undefined, 'of an old sign-in']) {
        const token = await provider.createLogoutToken(named, { claims: { iat, sid } })
        expect((await logOut({ logout_token: token })).statusCode).toBe(200)
      }
      expect((await signIn()).progress.state).toBe('complete')
      provider.spoilNextIdToken({ claims: { sid: undefined } })
      expect((await signIn()).progress.state).toBe('complete')
    })

    test('counts as after it in the same second, however exactly either time is said', async () => {
      const iat = seconds()
      const begun = await begin(usual.app)
      provider.spoilNextIdToken({ claims: { iat: iat + 0.9 } })
      await comeBack(begun.browser, await provider.visit(begun.openUrl, tolvan))
      const claims = { iat: iat + 0.1, sid: undefined }
      await logOut({ logout_token: await provider.createLogoutToken(provider.signIns.at(-1)!, { claims }) })
      expect(await collect(begun)).toEqual(ended)
    })

    test('ends one that came without a name, by the person', async () => {
      const begun = await begin(usual.app)
      provider.spoilNextIdToken({ claims: { sid: undefined } })
      await comeBack(begun.browser, await provider.visit(begun.openUrl, tolvan))
      await logOut({ logout_token: await provider.createLogoutToken(provider.signIns.at(-1)!) })
      expect(await collect(begun)).toEqual(ended)
    })

    test('ends none of another name, and no one else’s', async () => {
      await answer(usual.app, '189001029819')
      const stranger = provider.signIns.at(-1)!
      const begun = await answer()
      const own = provider.signIns.at(-1)!
      for (const [named, claims] of [
        [stranger, {}],
        [stranger, { sid: undefined }],
        // Each name is of its own kind.
        [{ sid: own.sub, sub: own.sid }, {}],
        [{ sid: 'of another sign-in', sub: own.sub }, {}],
      ] as const) {
        const token = await provider.createLogoutToken(named, { claims })
        expect((await logOut({ logout_token: token })).statusCode).toBe(200)
      }
      expect(await collect(begun)).toMatchObject({ state: 'complete' })
      expect(await statusOf(begun.browser)).toBe(200)
    })

    test('is remembered as long as a sign-in that it ends can be collected', async () => {
      await logOut({ logout_token: await provider.createLogoutToken({ sid: 'some', sub: 'body' }) })
      const { rows } = await database.pool.query<{ expires_at: Date }>(
        'select expires_at from used_logout_tokens',
      )
      const keptMs = rows[0]!.expires_at.getTime() - usual.context.clock.now()
      expect(keptMs).toBeGreaterThanOrEqual(orderLifetimeMs + providerClockSecondsMax * 1_000)
    })

    test('is found by an index among any number of others', async () => {
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
      const { rows } = await database.pool.query<Record<'QUERY PLAN', string>>(
        `explain ${selectIsEnded.text}`,
        [...values],
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('used_logout_tokens_by_sid')
      expect(plan).toContain('used_logout_tokens_by_sub')
      expect(plan).not.toContain('Seq Scan')
    })

    test('is no concern of sign-ins with another electronic identity', async () => {
      const context = createTestContext(database.pool)
      const app = await buildApp(context)
      opened.defer(() => app.close())
      const begun = await begin(app)
      await approveDemoOrder(context, begun.openUrl, { personalNumber: tolvan, name: 'Tolvan' })
      // A caller of either waits.
      const all = 'lock table used_logout_tokens in access exclusive mode'
      await whileLocked(all, [], () =>
        whileLocked('select pg_advisory_xact_lock(7862693118)', [], async () => {
          expect(await collect(begun)).toMatchObject({ state: 'complete' })
        }),
      )
    })
  })

  test('a token of the provider is taken however many bad ones came from its network', async () => {
    const { browser } = await signIn()
    const named = provider.signIns.at(-1)!
    const before = [await logoutsWith('refused'), await logoutsWith('rate_limited')]
    for (let calls = 0; calls <= backChannelLogoutRate.burst; calls += 100) {
      await Promise.all(Array.from({ length: 100 }, () => logOut('logout_token=x')))
    }
    expect((await logOut('logout_token=x')).statusCode).toBe(429)
    expect((await logOut({ logout_token: await provider.createLogoutToken(named) })).statusCode).toBe(200)
    expect(await statusOf(browser)).toBe(401)
    expect(await logoutsWith('refused')).toBe(before[0]! + backChannelLogoutRate.burst)
    expect(await logoutsWith('rate_limited')).toBeGreaterThan(before[1]!)
  })

  test('a refused token is logged, once a minute', async () => {
    const { app, context } = await deploy()
    const refuse = () =>
      app.inject({
        method: 'POST',
        url: '/sign-in/back-channel-logout',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'logout_token=x',
      })
    const before = toldRefusals()
    for (let refusals = 0; refusals < 3; refusals += 1) await refuse()
    expect(toldRefusals()).toBe(before + 1)
    context.clock.advance(refusedLogoutLineMs)
    await refuse()
    expect(toldRefusals()).toBe(before + 2)
  })

  test('a limited number of tokens is checked concurrently, and a further one has to be repeated', async () => {
    const there = await deploy()
    const send = (payload: string) =>
      there.app.inject({
        method: 'POST',
        url: '/sign-in/back-channel-logout',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload,
      })
    const { browser } = await signIn()
    const token = await provider.createLogoutToken(provider.signIns.at(-1)!)
    const held = Promise.withResolvers<void>()
    const asked = () => provider.calls.filter((path) => path.startsWith('/.well-known')).length
    const before = asked()
    provider.answerNextWith({ path: '/.well-known/openid-configuration', until: held.promise })
    const first = send(`logout_token=${token}`)
    await expect.poll(() => asked()).toBe(before + 1)
    let answered = 0
    const others = Array.from({ length: logoutChecksMax }, async () => {
      const { statusCode, headers } = await send('logout_token=x')
      answered += 1
      return [statusCode, headers['retry-after']]
    })
    try {
      await expect.poll(() => answered).toBe(1)
      expect(await logoutsWith('rate_limited', there)).toBe(1)
    } finally {
      held.resolve()
    }
    expect((await first).statusCode).toBe(200)
    expect(await statusOf(browser)).toBe(401)
    const answers = (await Promise.all(others)).map(([status]) => status)
    expect(answers.filter((status) => status === 429)).toHaveLength(1)
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
      logout_token: await provider.createLogoutToken(provider.signIns.at(-1)!, { signature: 'stranger' }),
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
