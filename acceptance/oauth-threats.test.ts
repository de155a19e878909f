import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type App,
  authorization,
  type Authorization,
  refresh,
  registerApp,
  revoke,
  exchange,
} from '../testing/process/oauth-app.ts'
import { type AppScene, startAppScene } from './app-scene.ts'
import { type ConsoleClient, signIn } from '../testing/process/console-client.ts'
import { advance, type Answer, call, errorOf } from '../testing/process/call.ts'
import { openConsent, signConsent } from '../testing/process/consent.ts'
import { owner } from '../testing/process/shop.ts'

// Attacks on codes, tokens and redirects, by the threats of docs/security.md.

const redirectUri = 'https://app.example.com/callback'

let scene: AppScene
let url: string
let app: App
let evil: App
let browser: ConsoleClient
beforeAll(async () => {
  scene = await startAppScene({ NUMERA_OAUTH_RATE_PER_MINUTE: '100000', NUMERA_OAUTH_RATE_BURST: '100000' })
  url = scene.url
  app = await registerApp(url, redirectUri)
  evil = await registerApp(url, 'https://evil.example/callback', 'Ledger lnsight')
  browser = await signIn(url, owner)
})
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
})

const visit = (target: URL | string): Promise<Answer> => call(new URL(target).href)
const outcome = ({ status, body }: Answer): string => `${status} ${body?.error}`

/** The owner allows the request; gives the code. */
const codeFor = async (request: Authorization): Promise<string> => {
  const cameBack = await signConsent(url, await openConsent(request.url, browser), owner)
  return cameBack.searchParams.get('code')!
}
const tokensFor = async (of = app): Promise<{ access_token: string; refresh_token: string }> => {
  const request = authorization(url, of)
  const answer = await exchange(url, of, await codeFor(request), request.codeVerifier)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const readStatus = async (token: string): Promise<number> =>
  (await call(scene.samplesUrl.href, { credential: token })).status

describe('Open redirect', () => {
  test.each([
    ['another host', 'https://evil.example/callback'],
    ['a further path', `${redirectUri}/more`],
    ['a slash more', `${redirectUri}/`],
    ['a query more', `${redirectUri}?to=1`],
    ['a fragment', `${redirectUri}#x`],
    ['another case', redirectUri.replace('callback', 'Callback')],
    ['the host in another case', redirectUri.replace('app.', 'APP.')],
    ['its port written out', redirectUri.replace('.com', '.com:443')],
    ['http', redirectUri.replace('https', 'http')],
    ['a user name', redirectUri.replace('https://', 'https://app.example.com@evil.example/')],
    ['a dot segment', redirectUri.replace('/callback', '/x/../callback')],
    ['a percent-encoded letter', redirectUri.replace('callback', '%63allback')],
    ['a script', 'javascript:alert(1)'],
    ['nothing', undefined],
    ['an empty one', ''],
  ])('no redirect leads to an address that is not registered: %s', async (_name, redirect_uri) => {
    const { url: target } = authorization(url, app, { redirect_uri })
    const answer = await visit(target)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.text).not.toContain('evil.example')
    // Nor do the calls of the page lead there.
    const consent = await openConsent(target, browser)
    for (const step of ['', 'deny']) expect((await consent.post(step)).status).toBe(400)
  })

  test.each(['app_0000000000000000000000', 'app', '', undefined])(
    'there is no redirect for an app that is not registered: %s',
    async (client_id) => {
      const answer = await visit(authorization(url, app, { client_id }).url)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    },
  )

  test('a second client_id or redirect_uri is refused', async () => {
    const { url: target } = authorization(url, app)
    for (const more of [`&client_id=${evil.clientId}`, `&redirect_uri=${evil.redirectUri}`]) {
      const answer = await visit(`${target}${more}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
    // One app's address is not another's.
    expect((await visit(authorization(url, app, { redirect_uri: evil.redirectUri }).url)).status).toBe(400)
  })
})

describe('Code injection and replay', () => {
  test('a code works only with its own app, address and verifier, and a failed attempt does not use it up', async () => {
    const request = authorization(url, app)
    const code = await codeFor(request)
    const wrong = randomBytes(32).toString('base64url')
    expect(outcome(await exchange(url, evil, code, request.codeVerifier))).toBe('400 invalid_grant')
    expect(
      outcome(await exchange(url, evil, code, request.codeVerifier, { redirect_uri: redirectUri })),
    ).toBe('400 invalid_grant')
    expect(outcome(await exchange(url, app, code, wrong))).toBe('400 invalid_grant')
    expect(
      outcome(await exchange(url, app, code, request.codeVerifier, { redirect_uri: `${redirectUri}/` })),
    ).toBe('400 invalid_grant')
    // Injected into another authorization of the same app, which has another verifier.
    const victim = authorization(url, app)
    expect(outcome(await exchange(url, app, code, victim.codeVerifier))).toBe('400 invalid_grant')
    expect((await exchange(url, app, code, request.codeVerifier)).status).toBe(200)
  })

  test('a code used twice is refused, and ends its tokens', async () => {
    const request = authorization(url, app)
    const code = await codeFor(request)
    const { body } = await exchange(url, app, code, request.codeVerifier)
    expect(await readStatus(body.access_token)).toBe(200)
    expect(outcome(await exchange(url, app, code, request.codeVerifier))).toBe('400 invalid_grant')
    expect(await readStatus(body.access_token)).toBe(401)
    expect(outcome(await refresh(url, app, body.refresh_token))).toBe('400 invalid_grant')
  })

  test('a code replayed without the verifier ends nothing', async () => {
    const request = authorization(url, app)
    const code = await codeFor(request)
    const { body } = await exchange(url, app, code, request.codeVerifier)
    await exchange(url, app, code, randomBytes(32).toString('base64url'))
    await exchange(url, evil, code, request.codeVerifier)
    expect(await readStatus(body.access_token)).toBe(200)
  })

  test('of 50 concurrent exchanges of a code one gets tokens', async () => {
    const request = authorization(url, app)
    const code = await codeFor(request)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => exchange(url, app, code, request.codeVerifier)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => outcome(answer) === '400 invalid_grant')).toHaveLength(49)
  })

  test('a code expires after five minutes', async () => {
    const request = authorization(url, app)
    const code = await codeFor(request)
    await advance(url, 301)
    expect(outcome(await exchange(url, app, code, request.codeVerifier))).toBe('400 invalid_grant')
  })
})

test('Mix-up: every redirect to an app has the issuer and the state', async () => {
  const request = authorization(url, app)
  const consent = await openConsent(request.url, browser)
  const denied = new URL((await consent.post('deny')).body.location)
  const allowed = await signConsent(url, consent, owner)
  const wrong = authorization(url, app, { response_type: 'token', state: request.state })
  const refused = new URL((await visit(wrong.url)).headers.get('location')!)
  for (const back of [denied, allowed, refused]) {
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri)
    expect(back.searchParams.get('iss')).toBe(url)
    expect(back.searchParams.get('state')).toBe(request.state)
  }
  expect([denied, allowed, refused].map((back) => back.searchParams.get('error'))).toEqual([
    'access_denied',
    null,
    'unsupported_response_type',
  ])
})

describe('PKCE downgrade', () => {
  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['no challenge but a method', { code_challenge: undefined }],
    ['an empty challenge', { code_challenge: '' }],
    ['no method, which means plain', { code_challenge_method: undefined }],
    ['plain', { code_challenge_method: 'plain' }],
    ['another case', { code_challenge_method: 's256' }],
    ['a padded challenge', { code_challenge: `${'a'.repeat(42)}=` }],
    ['a short challenge', { code_challenge: 'a'.repeat(42) }],
    ['a long challenge', { code_challenge: 'a'.repeat(44) }],
  ])('no consent is shown: %s', async (_name, parameters) => {
    const answer = await visit(authorization(url, app, parameters).url)
    expect(answer.status).toBe(302)
    const back = new URL(answer.headers.get('location')!)
    expect(back.searchParams.get('error')).toBe('invalid_request')
    expect(back.searchParams.get('code')).toBeNull()
  })

  test('no code is exchanged without its verifier, nor for its challenge', async () => {
    const request = authorization(url, app)
    const code = await codeFor(request)
    const challenge = request.url.searchParams.get('code_challenge')!
    expect(outcome(await exchange(url, app, code, '', { code_verifier: undefined }))).toBe(
      '400 invalid_request',
    )
    expect(outcome(await exchange(url, app, code, challenge))).toBe('400 invalid_grant')
    expect((await exchange(url, app, code, request.codeVerifier)).status).toBe(200)
  })
})

describe('Refresh theft', () => {
  test('a refresh token used twice ends all tokens of its code, but not the consent', async () => {
    const stolen = await tokensFor()
    const { body: fresh } = await refresh(url, app, stolen.refresh_token)
    expect(await readStatus(fresh.access_token)).toBe(200)
    expect(outcome(await refresh(url, app, stolen.refresh_token))).toBe('400 invalid_grant')
    expect([await readStatus(stolen.access_token), await readStatus(fresh.access_token)]).toEqual([401, 401])
    expect(outcome(await refresh(url, app, fresh.refresh_token))).toBe('400 invalid_grant')
    // The consent still exists: a code is issued without a signature.
    expect(await readStatus((await tokensFor()).access_token)).toBe(200)
  })

  test('a refresh token works only for its own app', async () => {
    const { refresh_token, access_token } = await tokensFor()
    expect(outcome(await refresh(url, evil, refresh_token))).toBe('400 invalid_grant')
    expect(outcome(await revoke(url, evil, refresh_token))).toBe('400 unauthorized_client')
    expect(await readStatus(access_token)).toBe(200)
    expect((await refresh(url, app, refresh_token)).status).toBe(200)
  })

  test('of 50 concurrent uses of a refresh token one gets tokens', async () => {
    const { refresh_token } = await tokensFor()
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(url, app, refresh_token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a token works only as its own kind', async () => {
    const { refresh_token, access_token } = await tokensFor()
    expect(await readStatus(refresh_token)).toBe(401)
    expect(outcome(await refresh(url, app, access_token))).toBe('400 invalid_grant')
    expect(outcome(await exchange(url, app, refresh_token, 'a'.repeat(43)))).toBe('400 invalid_grant')
  })
})

describe('Token scanning', () => {
  test('an invalid token and a revoked one get the same answer', async () => {
    const { access_token } = await tokensFor()
    await revoke(url, app, access_token)
    const answers = []
    for (const token of [access_token, `nat_${'a'.repeat(43)}`, 'nat_', 'x']) {
      const headers = { 'x-request-id': 'the-same-1' }
      const answer = await call(scene.samplesUrl.href, { credential: token, headers })
      answers.push([answer.status, answer.text, answer.headers.get('www-authenticate')])
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('revoking an unknown token is answered like revoking a known one', async () => {
    const { access_token } = await tokensFor()
    const answers = []
    for (const token of [access_token, access_token, `nat_${'a'.repeat(43)}`, `nrt_${'a'.repeat(43)}`, 'x']) {
      const answer = await revoke(url, app, token)
      answers.push([answer.status, answer.text])
    }
    for (const answer of answers) expect(answer).toEqual([200, ''])
  })

  test('a token in an address is refused, and not logged', async () => {
    const { access_token } = await tokensFor()
    for (const query of [`access_token=${access_token}`, `anything=${access_token}`]) {
      const answer = await call(`${scene.samplesUrl.href}&${query}`, { credential: access_token })
      expect(errorOf(answer)).toEqual({ status: 400, code: 'credential_in_url' })
    }
    expect(scene.service.output()).not.toContain(access_token)
  })
})

test('Timing: every refusal of a code is the same bytes', async () => {
  const request = authorization(url, app)
  const code = await codeFor(request)
  const wrong = 'a'.repeat(43)
  const refused = [
    await exchange(url, app, `nac_${'a'.repeat(43)}`, request.codeVerifier),
    await exchange(url, app, code, wrong),
    await exchange(url, evil, code, request.codeVerifier),
    await exchange(url, app, code, request.codeVerifier, { redirect_uri: evil.redirectUri }),
  ]
  for (const { status, text } of refused) expect([status, text]).toEqual([400, refused[0]!.text])
})
