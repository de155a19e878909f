import { describe, expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import { sealedOpenIdConnectOrders } from '../sealed-tables.ts'
import { createConsoleClient } from '../../../../testing/in-process/console-client.ts'
import { seedCompany } from '../../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { addMember } from '../../../console/memberships/add-member.ts'
import { openIdConnectOrderMs } from './openid-connect.ts'
import {
  service,
  tolvan,
  type BegunSignIn,
  getReference,
  begin,
  comeBack,
  logOut,
  collect,
  countSignIns,
  countCalls,
  startOpenIdConnectScene,
} from '../../../../testing/in-process/scenes/openid-connect-scene.ts'

const { database, provider, usual, opened, deploy, getLog, signInAtProvider, signIn } =
  await startOpenIdConnectScene()

/** Failures for which an alert pages the operator. */
const countPagingFailures = async () =>
  (await countSignIns(usual, 'unavailable')) + (await countSignIns(usual, 'not_verified'))

/** Failures that anyone can cause with a browser. */
const countOtherFailures = async () =>
  (await countSignIns(usual, 'bad_callback')) + (await countSignIns(usual, 'refused_by_provider'))

test('a sign-in leads back to a page of the service and nowhere else', async () => {
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

test('the member with that personal number is signed in', async () => {
  const { memberId } = (await seedCompany(usual.context, { ownerPersonalNumber: '189001019802' })).owner
  expect((await signIn(usual.app, '189001019802')).progress).toEqual({
    state: 'complete',
    member_id: memberId,
  })
})

test('a connection cannot be signed where no electronic identity signs, and the refusal says why', async () => {
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

test('a person who cancels at the provider has refused the sign-in', async () => {
  const begun = await begin(usual.app)
  const before = countCalls(provider, '/token')
  await comeBack(begun.browser, await provider.visit(begun.openUrl, undefined))
  expect(await collect(begun)).toEqual({ state: 'failed', reason: 'refused' })
  expect(countCalls(provider, '/token')).toBe(before)
})

test('a repeated callback changes nothing, and makes no call to the provider', async () => {
  const begun = await begin(usual.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  await comeBack(begun.browser, callback)
  const before = countCalls(provider, '/token')
  for (const again of [callback, callback.replace(/code=[^&]*/, 'error=access_denied')]) {
    expect((await comeBack(begun.browser, again)).headers['location']).toBe(`${service}/invitations?x=1`)
  }
  expect(countCalls(provider, '/token')).toBe(before)
  expect(await collect(begun)).toMatchObject({ state: 'complete' })
})

test('a callback in another browser signs no one in, in either browser', async () => {
  for (const stranger of [createConsoleClient(usual.app), (await begin(usual.app)).browser]) {
    const begun = await begin(usual.app)
    const callback = await provider.visit(begun.openUrl, tolvan)
    const before = countCalls(provider, '/token')
    const back = await comeBack(stranger, callback)
    expect([back.status, back.headers['location']]).toEqual([303, `${service}/sign-in`])
    expect(countCalls(provider, '/token')).toBe(before)
    await comeBack(begun.browser, callback)
    expect(await collect(begun)).toEqual({ state: 'failed', reason: 'not_verified' })
  }
})

test('the code of another order is refused', async () => {
  const [one, other] = [await begin(usual.app), await begin(usual.app)]
  const getCode = async ({ openUrl }: BegunSignIn) =>
    new URL(await provider.visit(openUrl, tolvan)).searchParams.get('code')!
  const callback = new URL(await provider.visit(one.openUrl, tolvan))
  callback.searchParams.set('code', await getCode(other))
  await comeBack(one.browser, callback.href)
  expect(await collect(one)).toEqual({ state: 'failed', reason: 'not_verified' })
})

test('the person and the names for logout are stored, and no token', async () => {
  const begun = await signInAtProvider()
  const { rows } = await database.pool.query<{ sealed: Buffer }>(
    'select sealed from openid_connect_orders where reference = $1',
    [getReference(begun)],
  )
  const { sid, sub } = provider.signIns.at(-1)!
  const unsealed = sealedOpenIdConnectOrders.unseal(
    usual.context,
    { reference: getReference(begun) },
    rows[0]!.sealed,
  )
  expect(JSON.parse(unsealed)).toEqual({
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

test('a callback after the order’s time has expired', async () => {
  const begun = await begin(usual.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  usual.context.clock.advance(openIdConnectOrderMs)
  await comeBack(begun.browser, callback)
  expect(await collect(begun)).toEqual({ state: 'failed', reason: 'expired' })
})

test('a cancelled order accepts no callback', async () => {
  const begun = await begin(usual.app)
  const callback = await provider.visit(begun.openUrl, tolvan)
  await begun.browser.post(`/console/sign-in/${begun.orderId}/cancel`)
  const before = countCalls(provider, '/token')
  await comeBack(begun.browser, callback)
  expect(countCalls(provider, '/token')).toBe(before)
})

test.each<[string, (callback: URL) => void, string]>([
  [
    'of another issuer',
    ({ searchParams }) => searchParams.set('iss', 'https://evil.example'),
    'not_verified',
  ],
  ['that names no issuer', ({ searchParams }) => searchParams.delete('iss'), 'not_verified'],
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
])('a callback %s fails the sign-in, and does not page the operator', async (_what, change, reason) => {
  const begun = await begin(usual.app)
  const callback = new URL(await provider.visit(begun.openUrl, tolvan))
  change(callback)
  const before = [await countPagingFailures(), await countOtherFailures()]
  const back = await comeBack(begun.browser, callback.href)
  expect([back.status, back.headers['location']]).toEqual([303, `${service}/invitations?x=1`])
  expect(await collect(begun)).toEqual({ state: 'failed', reason })
  expect([await countPagingFailures(), await countOtherFailures()]).toEqual([before[0], before[1]! + 1])
})

/** Invites an owner to the person's company, which needs a recent sign-in. */
const inviteOwner = async ({ browser }: BegunSignIn) => {
  const { company } = await seedCompany(usual.context)
  await addMember(usual.context, 'operator', company.companyId, { personalNumber: tolvan, role: 'owner' })
  return browser.post(`/console/companies/${company.companyId}/invitations`, { role: 'owner' })
}

describe('a recent sign-in', () => {
  test('is counted from the authentication time that the provider states', async () => {
    expect((await inviteOwner(await signIn())).status).toBe(201)
  })

  test('is refused where the provider states no authentication time', async () => {
    provider.spoilNextIdToken({ claims: { auth_time: undefined } })
    const signedIn = await signIn()
    expect(signedIn.progress.state).toBe('complete')
    expect((await inviteOwner(signedIn)).body).toMatchObject({ code: 'sign_in_again' })
    expect(getLog()).toContain('does not say when a person authenticated')
  })

  test('is assumed of every sign-in where the operator configures it', async () => {
    const { app } = await deploy({ NUMERA_OIDC_AUTH_TIME: 'assumed' })
    provider.spoilNextIdToken({ claims: { auth_time: undefined } })
    expect((await inviteOwner(await signIn(app))).status).toBe(201)
  })
})

test('the list of sessions shows browser, system and network', async () => {
  const begun = await signInAtProvider()
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

test('no personal number, code, token or secret is logged, or stored in plain text', async () => {
  provider.spoilNextIdToken({ claims: { acr: undefined, nonce: 'wrong' } })
  await signIn()
  const callback = await provider.visit((await begin(usual.app)).openUrl, tolvan)
  await comeBack(createConsoleClient(usual.app), callback)
  const { browser } = await signIn()
  await logOut(usual.app, {
    logout_token: await provider.createLogoutToken(provider.signIns.at(-1)!, { signature: 'stranger' }),
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
  expect(getLog()).toContain('a sign-in at the OpenID Connect provider failed')
  for (const secret of secrets) expect(getLog()).not.toContain(secret)
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema in ('directory', 'access', 'shard_1')`,
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

test('a deployment with another electronic identity has neither address', async () => {
  const app = await buildApp(createTestContext(database.pool))
  opened.defer(() => app.close())
  expect((await app.inject({ url: '/sign-in/callback?state=x' })).statusCode).toBe(404)
  expect((await logOut(app, 'logout_token=x')).statusCode).toBe(404)
})
