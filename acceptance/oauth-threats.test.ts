import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type App,
  requestRegistration,
  authorization,
  type Authorization,
  refresh,
  registerApp,
  revoke,
  exchange,
} from '../testing/process/oauth-app.ts'
import { type AppScene, startAppScene } from './app-scene.ts'
import { approve, type ConsoleClient, type Person, signIn } from '../testing/process/console-client.ts'
import { advance, type Answer, call, errorOf } from '../testing/process/call.ts'
import { openConsent, signConsent } from '../testing/process/consent.ts'
import { owner } from '../testing/process/shop.ts'
import { untilRefused } from './until-refused.ts'

// What an attacker would try, by the threats of docs/security.md.

const redirectUri = 'https://app.example.com/callback'
const other: Person = { personalNumber: '198112189876', name: 'Annan Annansson' }

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

/** The owner allows what is asked; gives the code. */
const codeFor = async (asked: Authorization): Promise<string> => {
  const cameBack = await signConsent(url, await openConsent(asked.url, browser), owner)
  return cameBack.searchParams.get('code')!
}
const tokensFor = async (of = app): Promise<{ access_token: string; refresh_token: string }> => {
  const asked = authorization(url, of)
  const answer = await exchange(url, of, await codeFor(asked), asked.codeVerifier)
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
    // Nor by what the page calls.
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

  test('a second client_id or redirect_uri is no way around it', async () => {
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
  test('a code is good for its own app, address and verifier alone, and what fails does not use it up', async () => {
    const asked = authorization(url, app)
    const code = await codeFor(asked)
    const wrong = randomBytes(32).toString('base64url')
    expect(outcome(await exchange(url, evil, code, asked.codeVerifier))).toBe('400 invalid_grant')
    expect(outcome(await exchange(url, evil, code, asked.codeVerifier, { redirect_uri: redirectUri }))).toBe(
      '400 invalid_grant',
    )
    expect(outcome(await exchange(url, app, code, wrong))).toBe('400 invalid_grant')
    expect(
      outcome(await exchange(url, app, code, asked.codeVerifier, { redirect_uri: `${redirectUri}/` })),
    ).toBe('400 invalid_grant')
    // The code of one authorization into another of the same app: its verifier is another.
    const victim = authorization(url, app)
    expect(outcome(await exchange(url, app, code, victim.codeVerifier))).toBe('400 invalid_grant')
    expect((await exchange(url, app, code, asked.codeVerifier)).status).toBe(200)
  })

  test('a code used twice is refused, and what it was exchanged for ends', async () => {
    const asked = authorization(url, app)
    const code = await codeFor(asked)
    const { body } = await exchange(url, app, code, asked.codeVerifier)
    expect(await readStatus(body.access_token)).toBe(200)
    expect(outcome(await exchange(url, app, code, asked.codeVerifier))).toBe('400 invalid_grant')
    expect(await readStatus(body.access_token)).toBe(401)
    expect(outcome(await refresh(url, app, body.refresh_token))).toBe('400 invalid_grant')
  })

  test('a code that an attacker replays, without the verifier, ends nothing', async () => {
    const asked = authorization(url, app)
    const code = await codeFor(asked)
    const { body } = await exchange(url, app, code, asked.codeVerifier)
    await exchange(url, app, code, randomBytes(32).toString('base64url'))
    await exchange(url, evil, code, asked.codeVerifier)
    expect(await readStatus(body.access_token)).toBe(200)
  })

  test('of 50 concurrent exchanges of a code one gets tokens', async () => {
    const asked = authorization(url, app)
    const code = await codeFor(asked)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => exchange(url, app, code, asked.codeVerifier)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => outcome(answer) === '400 invalid_grant')).toHaveLength(49)
  })

  test('a code is over after five minutes', async () => {
    const asked = authorization(url, app)
    const code = await codeFor(asked)
    await advance(url, 301)
    expect(outcome(await exchange(url, app, code, asked.codeVerifier))).toBe('400 invalid_grant')
  })
})

test('Mix-up: every answer that goes back to an app names its issuer and carries the state', async () => {
  const asked = authorization(url, app)
  const consent = await openConsent(asked.url, browser)
  const denied = new URL((await consent.post('deny')).body.location)
  const allowed = await signConsent(url, consent, owner)
  const wrong = authorization(url, app, { response_type: 'token', state: asked.state })
  const refused = new URL((await visit(wrong.url)).headers.get('location')!)
  for (const back of [denied, allowed, refused]) {
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri)
    expect(back.searchParams.get('iss')).toBe(url)
    expect(back.searchParams.get('state')).toBe(asked.state)
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
  ])('nothing is asked of the member: %s', async (_name, parameters) => {
    const answer = await visit(authorization(url, app, parameters).url)
    expect(answer.status).toBe(302)
    const back = new URL(answer.headers.get('location')!)
    expect(back.searchParams.get('error')).toBe('invalid_request')
    expect(back.searchParams.get('code')).toBeNull()
  })

  test('no code is exchanged without its verifier, nor for its challenge', async () => {
    const asked = authorization(url, app)
    const code = await codeFor(asked)
    const challenge = asked.url.searchParams.get('code_challenge')!
    expect(outcome(await exchange(url, app, code, '', { code_verifier: undefined }))).toBe(
      '400 invalid_request',
    )
    expect(outcome(await exchange(url, app, code, challenge))).toBe('400 invalid_grant')
    expect((await exchange(url, app, code, asked.codeVerifier)).status).toBe(200)
  })
})

describe('Refresh theft', () => {
  test('a refresh token that comes a second time ends all tokens of its code; the access stays', async () => {
    const stolen = await tokensFor()
    const { body: fresh } = await refresh(url, app, stolen.refresh_token)
    expect(await readStatus(fresh.access_token)).toBe(200)
    expect(outcome(await refresh(url, app, stolen.refresh_token))).toBe('400 invalid_grant')
    expect([await readStatus(stolen.access_token), await readStatus(fresh.access_token)]).toEqual([401, 401])
    expect(outcome(await refresh(url, app, fresh.refresh_token))).toBe('400 invalid_grant')
    // What the member allowed is there still: a code comes without a signature.
    expect(await readStatus((await tokensFor()).access_token)).toBe(200)
  })

  test('a refresh token is its own app’s', async () => {
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

  test('a token of one kind is none of another', async () => {
    const { refresh_token, access_token } = await tokensFor()
    expect(await readStatus(refresh_token)).toBe(401)
    expect(outcome(await refresh(url, app, access_token))).toBe('400 invalid_grant')
    expect(outcome(await exchange(url, app, refresh_token, 'a'.repeat(43)))).toBe('400 invalid_grant')
  })
})

test('Consent click-jacking: no page of the way may be framed, run foreign scripts, or tell where it was', async () => {
  const pages = [
    await visit(authorization(url, app).url),
    await visit(authorization(url, app, { redirect_uri: evil.redirectUri }).url),
  ]
  expect(pages.map(({ status }) => status)).toEqual([200, 400])
  for (const { headers } of pages) {
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*(unsafe-inline|\*|https?:)/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

describe('CSRF', () => {
  const everything = { permissions: ['metrics.read'], companies: { every: true } }

  test('nothing is decided without the CSRF token of the very session', async () => {
    const asked = authorization(url, evil)
    const mine = await signIn(url, owner)
    const consent = await openConsent(asked.url, mine)
    const { csrf_token: foreign } = (await (await signIn(url, other)).get('/console/session')).body
    const { csrf_token: earlier } = (await browser.get('/console/session')).body
    for (const token of [undefined, '', 'x', foreign, earlier]) {
      const headers: Record<string, string> = token === undefined ? {} : { 'x-csrf-token': token }
      for (const [step, body] of [
        ['sign', everything],
        ['deny', {}],
      ] as const) {
        expect(errorOf(await consent.post(step, body, headers))).toEqual({
          status: 403,
          code: 'permission_denied',
        })
      }
    }
    expect((await consent.post('sign', everything)).body.state).toBe('signing')
  })

  test('nothing is decided from another site, even with the token', async () => {
    const { csrf_token } = (await browser.get('/console/session')).body
    const consent = await openConsent(authorization(url, evil).url, browser)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await consent.post('sign', everything, { 'x-csrf-token': csrf_token, ...headers })
      expect(answer.status).toBe(403)
    }
  })

  test('access is not ended from another site, nor without the token', async () => {
    await tokensFor()
    const { body } = await browser.get('/console/apps')
    const end = `/console/apps/${body.apps[0].connection_id}/end`
    expect((await browser.post(end, {}, {})).status).toBe(403)
    const { csrf_token } = (await browser.get('/console/session')).body
    const headers = { 'x-csrf-token': csrf_token, 'sec-fetch-site': 'cross-site' }
    expect((await browser.post(end, {}, headers)).status).toBe(403)
    expect((await browser.get('/console/apps')).body.apps[0].state).toBe('active')
  })

  test('opening the address alone allows nothing, however often', async () => {
    const { url: target } = authorization(url, evil)
    for (let count = 0; count < 3; count++) {
      const answer = await browser.get(`${target.pathname}${target.search}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    }
  })
})

describe('Login swapping between consent and signature', () => {
  const everything = { permissions: ['metrics.read'], companies: { every: true } }

  test('no one else can sign what one member was shown', async () => {
    const consent = await openConsent(authorization(url, evil).url, browser)
    const { body: order } = await consent.post('sign', everything)
    await approve(url, order.presentation.open_url, other)
    const { body } = await consent.post(`sign/${order.order_id}/collect`)
    expect(body.state).toBe('failed')
    expect(body.location).toBeUndefined()
    const { apps } = (await browser.get('/console/apps')).body
    expect(apps.map(({ client_id }: { client_id: string }) => client_id)).not.toContain(evil.clientId)
  })

  test('what one session asked to sign another one does not collect', async () => {
    const asked = authorization(url, evil)
    const consent = await openConsent(asked.url, browser)
    const { body: order } = await consent.post('sign', everything)
    await approve(url, order.presentation.open_url, owner)
    const theirs = await openConsent(asked.url, await signIn(url, other))
    expect((await theirs.post(`sign/${order.order_id}/collect`)).status).toBe(404)
  })

  test('what was signed for one app gives no code to another, not even to one at the same address', async () => {
    await advance(url, 21)
    const neighbour = await registerApp(url, redirectUri)
    const fresh = await signIn(url, owner)
    const consent = await openConsent(authorization(url, evil).url, fresh)
    const { body: order } = await consent.post('sign', everything)
    await approve(url, order.presentation.open_url, owner)
    for (const other of [app, neighbour]) {
      const swapped = await openConsent(authorization(url, other).url, fresh)
      expect((await swapped.post(`sign/${order.order_id}/collect`)).status).toBe(404)
    }
    const next = await openConsent(authorization(url, neighbour).url, fresh)
    const { body: second } = await next.post('sign', everything)
    await approve(url, second.presentation.open_url, owner)
    const swapped = await openConsent(authorization(url, app).url, fresh)
    expect((await swapped.post(`sign/${second.order_id}/collect`)).status).toBe(404)
  })
})

describe('Hostile client names', () => {
  test.each([
    ['a right-to-left override', 'Bank\u202egnik'],
    ['an isolate', '\u2067Bank\u2069'],
    ['a zero-width space', 'Ba\u200bnk'],
    ['a line break', 'Bank\nSigned by the bank'],
    ['nothing to see', '\u3164'],
    ['101 characters', 'x'.repeat(101)],
  ])('are not registered: %s', async (_name, client_name) => {
    await advance(url, 21)
    const answer = await requestRegistration(url, { client_name, redirect_uris: [redirectUri] })
    expect(outcome(answer)).toBe('400 invalid_client_metadata')
  })

  test('are text on the page, next to the host, which cannot be forged', async () => {
    await advance(url, 60)
    const name = `<img src=x onerror=alert(1)> Your bank`
    const named = await registerApp(url, 'https://evil.example/callback', name)
    const { url: target } = authorization(url, named)
    expect((await visit(target)).text).not.toContain('<img src=x')
    const { body } = await (await openConsent(target, browser)).post('')
    expect(body.app).toMatchObject({ client_name: name, redirect_host: 'evil.example' })
  })
})

describe('Look-alike hosts', () => {
  test.each([
    ['a Cyrillic letter', 'https://аpp.example.com/callback'],
    ['a full-width letter', 'https://ａpp.example.com/callback'],
    ['another full stop', 'https://app。example.com/callback'],
    ['a user name that looks like a host', 'https://app.example.com@evil.example/callback'],
    ['a backslash before the real host', 'https://app.example.com\\@evil.example/callback'],
    ['a percent-encoded host', 'https://%61pp.example.com/callback'],
  ])('are not registered: %s', async (_name, address) => {
    await advance(url, 21)
    const answer = await requestRegistration(url, { client_name: 'App', redirect_uris: [address] })
    expect(outcome(answer)).toBe('400 invalid_redirect_uri')
  })

  test('are shown as they are resolved, in punycode', async () => {
    await advance(url, 60)
    const named = await registerApp(url, 'https://xn--pp-7lc.example.com/callback', 'App')
    const { body } = await (await openConsent(authorization(url, named).url, browser)).post('')
    expect(body.app.redirect_host).toBe('xn--pp-7lc.example.com')
  })
})

test('Registration floods: after three apps, and after six mistakes, an address waits, even with forged headers', async () => {
  await advance(url, 200)
  const register = async (index: number, body: object) => {
    const network = `198.51.${index}.1`
    const answer = await requestRegistration(url, body, {
      'x-forwarded-for': network,
      forwarded: `for=${network}`,
    })
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    return answer.status
  }
  const fits = { client_name: 'App', redirect_uris: ['https://app.example/callback'] }
  const made: number[] = []
  const mistaken: number[] = []
  for (let index = 0; index < 5; index++) made.push(await register(index, fits))
  for (let index = 0; index < 8; index++) mistaken.push(await register(index, {}))
  expect(made).toEqual([201, 201, 201, 429, 429])
  expect(mistaken).toEqual([400, 400, 400, 400, 400, 400, 429, 429])
  await advance(url, 200)
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

  test('giving back what is no token is answered like giving back one', async () => {
    const { access_token } = await tokensFor()
    const answers = []
    for (const token of [access_token, access_token, `nat_${'a'.repeat(43)}`, `nrt_${'a'.repeat(43)}`, 'x']) {
      const answer = await revoke(url, app, token)
      answers.push([answer.status, answer.text])
    }
    for (const answer of answers) expect(answer).toEqual([200, ''])
  })

  test('a token in an address opens nothing, and is said to be spoilt', async () => {
    const { access_token } = await tokensFor()
    for (const query of [`access_token=${access_token}`, `anything=${access_token}`]) {
      const answer = await call(`${scene.samplesUrl.href}&${query}`, { credential: access_token })
      expect(errorOf(answer)).toEqual({ status: 400, code: 'credential_in_url' })
    }
    expect(scene.service.output()).not.toContain(access_token)
  })

  test('guessing codes and tokens at the token endpoint is limited for each app and network', async () => {
    await using limited = await startAppScene()
    const guesser = await registerApp(limited.url, redirectUri)
    const { passed, refused, seconds } = await untilRefused(60, () =>
      refresh(limited.url, guesser, `nrt_${randomBytes(21).toString('hex')}a`),
    )
    expect(new Set(passed.map(outcome))).toEqual(new Set(['400 invalid_grant']))
    expect(passed.length).toBeLessThanOrEqual(20 + seconds)
    expect(new Set(refused.map(outcome))).toEqual(new Set(['429 temporarily_unavailable']))
  })
})

test('Timing: every refusal of a code is the same bytes', async () => {
  const asked = authorization(url, app)
  const code = await codeFor(asked)
  const wrong = 'a'.repeat(43)
  const refused = [
    await exchange(url, app, `nac_${'a'.repeat(43)}`, asked.codeVerifier),
    await exchange(url, app, code, wrong),
    await exchange(url, evil, code, asked.codeVerifier),
    await exchange(url, app, code, asked.codeVerifier, { redirect_uri: evil.redirectUri }),
  ]
  for (const { status, text } of refused) expect([status, text]).toEqual([400, refused[0]!.text])
})
