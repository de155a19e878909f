import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPool } from '../../platform/database/pool.ts'
import { noPages } from '../../platform/web-app/web-app.ts'
import { buildApp } from '../../app/app.ts'
import { createBreakableDatabase } from '../../../testing/faults/breakable-database.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedApp, seedAppConnection, seedCompany, type SeededApp } from '../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const hourMs = 60 * 60_000
const redirectUri = 'https://app.example.com/back?tenant=1'
const index = '<!doctype html><title>The web app</title>'

const { database, context, app } = await startTestService({
  pages: { ...noPages, index },
})
let client: SeededApp
beforeAll(async () => {
  client = await seedApp(context, {
    redirectUris: [redirectUri, 'https://app.example.com/other'],
  })
})
// Each test begins with a full bucket.
beforeEach(() => context.clock.advance(60_000))

type Changes = Record<string, string | string[] | undefined>

const toQuery = (changes: Changes = {}): string => {
  const query = new URLSearchParams()
  const all: Changes = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'a b&c',
    ...changes,
  }
  for (const [name, value] of Object.entries(all)) {
    for (const each of [value ?? []].flat()) query.append(name, each)
  }
  return query.toString()
}

const open = (changes: Changes = {}, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  app.inject({ url: `/oauth/authorize?${toQuery(changes)}`, headers, remoteAddress })

type Answer = Awaited<ReturnType<typeof open>>

const expectPageHeaders = (answer: Answer): void => {
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['referrer-policy']).toBe('no-referrer')
  expect(answer.headers['x-frame-options']).toBe('DENY')
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/)
  expect(answer.headers['content-security-policy']).not.toContain('unsafe')
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
}

const expectOwnPage = (answer: Answer, title: string): void => {
  expect(answer.statusCode).toBe(400)
  expect(answer.headers['location']).toBeUndefined()
  expectPageHeaders(answer)
  expect(answer.payload).toContain(`<h1>${title}</h1>`)
}

const expectError = (answer: Answer, error: string, state: string | null = 'a b&c'): void => {
  expect(answer.statusCode, answer.payload).toBe(302)
  expect(answer.headers['cache-control']).toBe('no-store')
  const location = String(answer.headers['location'])
  // Its own query is kept.
  expect(location.startsWith(`${redirectUri}&`)).toBe(true)
  const { searchParams } = new URL(location)
  expect(searchParams.get('error')).toBe(error)
  expect(searchParams.get('error_description')).toMatch(/^[A-Z].*\.$/)
  expect(searchParams.get('state')).toBe(state)
  expect(searchParams.get('iss')).toBe(context.config.baseUrl)
  expect(searchParams.has('code')).toBe(false)
}

test('a valid request gets the web app, which loads only from this service and may not be framed', async () => {
  const answer = await open()
  expect(answer.statusCode).toBe(200)
  expect(answer.payload).toBe(index)
  expectPageHeaders(answer)
  expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
})

test('the page names the app before the sign-in, and no name becomes markup', async () => {
  const document = '<!doctype html><head><title>The web app</title></head>'
  await using ofPages = await buildApp(context, { pages: { ...noPages, index: document } })
  const getMeta = async (clientName: string, to: string): Promise<string[]> => {
    const { clientId } = await seedApp(context, { clientName, redirectUris: [to] })
    const { payload } = await ofPages.inject({
      url: `/oauth/authorize?${toQuery({ client_id: clientId, redirect_uri: to })}`,
      remoteAddress: '192.0.2.9',
    })
    return payload.match(/<meta name="numera-app[^>]*>/g) ?? []
  }
  expect(await getMeta('Rapportappen', 'https://app.example.com:8443/back')).toEqual([
    '<meta name="numera-app" content="Rapportappen" />',
    '<meta name="numera-app-host" content="app.example.com:8443" />',
  ])
  const [name] = await getMeta(`"><script>$& $' 'x'`, redirectUri)
  expect(name).toBe(`<meta name="numera-app" content="&quot;&gt;&lt;script&gt;$&amp; $' 'x'" />`)
  // A request that is not good enough says nothing of any app.
  const wrong = await ofPages.inject({ url: `/oauth/authorize?${toQuery({ redirect_uri: undefined })}` })
  expect(wrong.payload).not.toContain('numera-app')
})

const comeBack = (changes: Changes) =>
  app.inject({ url: `/consent?${toQuery(changes)}`, remoteAddress: '192.0.2.2' })

test('a person who returns to a consent is never redirected, even if the request is invalid', async () => {
  for (const changes of [{}, { response_type: undefined }, { scope: 'nothing' }, { state: ['a', 'b'] }]) {
    const answer = await comeBack(changes)
    expect([answer.statusCode, answer.headers['location']]).toEqual([200, undefined])
    expectPageHeaders(answer)
  }
  for (const changes of [{ client_id: 'unknown' }, { redirect_uri: 'https://elsewhere.example/' }]) {
    const answer = await comeBack(changes)
    expect([answer.statusCode, answer.headers['location']]).toEqual([400, undefined])
  }
})

test('the other pages of the web app are the same document', async () => {
  for (const url of ['/sign-in', '/apps']) {
    const answer = await app.inject({ url })
    expect(answer.payload).toBe(index)
    expectPageHeaders(answer)
  }
})

describe('authorize parameters', () => {
  test('response_type: code', async () => {
    expect((await open({ response_type: 'code' })).statusCode).toBe(200)
    expectError(await open({ response_type: undefined }), 'invalid_request')
  })

  test('client_id: id from registration; an unknown one is never redirected', async () => {
    for (const clientId of [
      undefined,
      '',
      'app_0000000000000000000000',
      'app_1',
      '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11',
      '\0',
      `${client.clientId} `,
      [client.clientId, client.clientId],
      [client.clientId, ''],
    ]) {
      expectOwnPage(await open({ client_id: clientId }), 'Unknown app')
    }
    expectOwnPage(await app.inject({ url: '/oauth/authorize' }), 'Unknown app')
  })

  test('redirect_uri: exactly one of the registered addresses; another is never redirected', async () => {
    expect((await open({ redirect_uri: 'https://app.example.com/other' })).statusCode).toBe(200)
    for (const uri of [
      undefined,
      '',
      'https://evil.example/back',
      'https://app.example.com/back',
      `${redirectUri}&more=1`,
      'https://app.example.com/back/?tenant=1',
      'https://APP.example.com/back?tenant=1',
      'https://app.example.com:443/back?tenant=1',
      'https://app.example.com/./back?tenant=1',
      'https://app.example.com.evil.example/back?tenant=1',
      'https://app.example.com@evil.example/back?tenant=1',
      'http://app.example.com/back?tenant=1',
      'javascript:alert(1)',
      [redirectUri, redirectUri],
      [redirectUri, 'https://evil.example/back'],
    ]) {
      expectOwnPage(await open({ redirect_uri: uri }), 'You were not sent back to the app')
    }
  })

  test('redirect_uri of another app is not registered for this one', async () => {
    const other = await seedApp(context, { redirectUris: ['https://other.example.com/back'] })
    expectOwnPage(await open({ redirect_uri: other.redirectUri }), 'You were not sent back to the app')
  })

  test('code_challenge and code_challenge_method: S256; plain is refused', async () => {
    expectError(await open({ code_challenge: undefined }), 'invalid_request')
    expectError(await open({ code_challenge: 'short' }), 'invalid_request')
    expectError(await open({ code_challenge_method: undefined }), 'invalid_request')
    expectError(await open({ code_challenge_method: 'plain' }), 'invalid_request')
  })

  test('state: returned unchanged, unless it is missing or repeated', async () => {
    const state = 'å<&>"\'%00 +\u{1f35e}'
    expectError(await open({ state, response_type: 'token' }), 'unsupported_response_type', state)
    expectError(await open({ state: undefined, response_type: 'token' }), 'unsupported_response_type', null)
    expectError(await open({ state: ['a', 'b'] }), 'invalid_request', null)
  })

  test('request and request_uri are refused', async () => {
    expectError(await open({ request: 'e30.e30.' }), 'invalid_request')
    expectError(await open({ request_uri: 'https://app.example.com/request' }), 'invalid_request')
  })

  test('resource: may repeat', async () => {
    const own = `${context.config.baseUrl}/v1`
    expect((await open({ resource: [own, `${own}/samples`] })).statusCode).toBe(200)
  })
})

describe('redirect errors', () => {
  test('invalid_request: parameter missing, malformed or repeated, or bad companies', async () => {
    expectError(await open({ scope: ['metrics.read', 'metrics.read'] }), 'invalid_request')
    expectError(await open({ companies: '556012-5791' }), 'invalid_request')
  })

  test('unsupported_response_type: not code', async () => {
    expectError(await open({ response_type: 'token' }), 'unsupported_response_type')
  })

  test('invalid_scope: a permission an app may not hold or that does not exist', async () => {
    expectError(await open({ scope: 'metrics.read sources.ingest' }), 'invalid_scope')
    expectError(await open({ scope: 'nonsense' }), 'invalid_scope')
  })

  test('invalid_target: resource for a server this issuer does not issue tokens for', async () => {
    expectError(await open({ resource: 'https://tools.example.net/mcp' }), 'invalid_target')
  })
})

test('nothing of the request comes back in the error page', async () => {
  for (const changes of [
    { client_id: '<script>alert(1)</script>' },
    { redirect_uri: 'https://evil.example/"><script>alert(1)</script>', state: '<b>' },
  ]) {
    const { payload } = await open(changes, { 'accept-language': '"><script>' })
    expect(payload).not.toMatch(/script|evil|<b>/)
  }
})

test('the error page is in Swedish for browsers that prefer it', async () => {
  const answer = await open({ client_id: 'a' }, { 'accept-language': 'sv-SE,sv;q=0.9,en;q=0.8' })
  expectOwnPage(answer, 'Okänd app')
  expect(answer.payload).toContain('<html lang="sv">')
})

test('429: after a burst of 20 from a network there is an error page, and one request a second is accepted', async () => {
  // Whether the app is known or not.
  for (let count = 0; count < 20; count++) await open(count % 2 === 0 ? {} : { client_id: 'a' })
  const refused = await open({}, {}, '192.0.2.200')
  expect(refused.statusCode).toBe(429)
  expectPageHeaders(refused)
  expect(refused.payload).toContain('<h1>Too many requests</h1>')
  expect(refused.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-limit': '60',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '20',
  })
  expect((await open({}, {}, '198.51.100.1')).statusCode).toBe(200)
  context.clock.advance(1_000)
  expect((await open()).statusCode).toBe(200)
})

test('an error page is shown while the database is unavailable', async () => {
  await using breakable = await createBreakableDatabase(database.url)
  const pool = createPool({ url: breakable.url })
  const away = await buildApp(createTestContext(pool))
  await breakable.takeAway()
  const answer = await away.inject({ url: `/oauth/authorize?${toQuery()}` })
  expect(answer.statusCode).toBe(503)
  expectPageHeaders(answer)
  expect(answer.payload).toContain('<h1>Numera is not available right now</h1>')
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  await away.close()
  await pool.end()
})

test('opening the address gives no code, even if the member already allows everything requested', async () => {
  const { owner } = await seedCompany(context)
  await seedAppConnection(context, { app: client, member: owner })
  const browser = await signInConsole(app, context, owner)
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const answer = await open({}, { cookie })
  expect(answer.statusCode).toBe(200)
  expect(answer.payload).not.toContain('nac_')
  const { rows } = await database.pool.query('select from authorization_codes')
  expect(rows).toHaveLength(0)
})

const readLastUse = async () => {
  const { rows } = await database.pool.query<{ last_used_at: Date }>(
    'select last_used_at from apps where client_id = $1',
    [client.clientId],
  )
  return rows[0]!.last_used_at.getTime()
}

test('a valid request counts as a use of the app, and an invalid one does not', async () => {
  context.clock.advance(2 * hourMs)
  await open({ response_type: 'token' })
  expect(await readLastUse()).toBeLessThan(context.clock.now())
  await open()
  expect(await readLastUse()).toBe(context.clock.now())
})
