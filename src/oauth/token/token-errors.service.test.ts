import { afterEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { seedApp, seedAppToken, seedCode, seedConnection } from '../../../testing/in-process/seed.ts'
import type { TestContext } from '../../../testing/in-process/test-context.ts'
import { resumeTokens, stopTokens } from './token-switch.ts'
import {
  minuteMs,
  servers,
  type Fields,
  without,
  toBasic,
  postFields,
  expectRefused,
  startAppTokensScene,
} from '../../../testing/in-process/scenes/app-tokens-scene.ts'

const scene = await startAppTokensScene()
const {
  database,
  context,
  app,
  connect,
  connectForCode,
  toCodeFields,
  redeem,
  toRefreshFields,
  refresh,
  revoke,
  opens,
} = scene

afterEach(() => resumeTokens(context))

const endConnection = (connectionId: string) =>
  database.pool.query(
    "update app_connections set ended_at = $2, ended_by = 'member' where connection_id = $1",
    [connectionId, new Date(context.clock.now())],
  )

describe('errors', () => {
  test('400 invalid_request: a parameter is missing or repeated, or the body is no form', async () => {
    const code = await connectForCode()
    expectRefused(
      await postFields(app, '/oauth/token', without(toCodeFields(code), 'grant_type')),
      400,
      'invalid_request',
    )
    for (const name of ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'state']) {
      const value = toCodeFields(code)[name] ?? 'x'
      expectRefused(await redeem(code, { [name]: [value, value].flat() }), 400, 'invalid_request')
    }
    for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${code.codeVerifier}=`]) {
      expectRefused(await redeem(code, { code_verifier: verifier }), 400, 'invalid_request')
    }
    for (const url of ['/oauth/token', '/oauth/revoke']) {
      const json = await app.inject({ method: 'POST', url, payload: toCodeFields(code) })
      expectRefused(json, 400, 'invalid_request')
      expectRefused(await app.inject({ method: 'POST', url }), 400, 'invalid_request')
    }
    expectRefused(
      await postFields(app, '/oauth/revoke', { client_id: scene.client.clientId }),
      400,
      'invalid_request',
    )
    expectRefused(await revoke('x', { token: ['x', 'y'] }), 400, 'invalid_request')
    context.clock.advance(minuteMs)
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test('400 invalid_grant: the code or refresh token is wrong, used or expired, or its connection has ended', async () => {
    const connection = await connect()
    const [used, expired, ended] = [
      await seedCode(context, connection),
      await seedCode(context, connection),
      await seedCode(context, connection),
    ]
    expect((await redeem(used)).statusCode).toBe(200)
    expectRefused(await redeem(used), 400, 'invalid_grant')
    expectRefused(await redeem({ ...used, code: 'nac_unknown' }), 400, 'invalid_grant')
    const pairs = [await seedAppToken(context, connection), await seedAppToken(context, connection)] as const
    expect((await refresh(pairs[0].refreshToken)).statusCode).toBe(200)
    expectRefused(await refresh(pairs[0].refreshToken), 400, 'invalid_grant')
    expectRefused(await refresh('nrt_unknown'), 400, 'invalid_grant')
    // An access token is no refresh token.
    expectRefused(await refresh(pairs[1].accessToken), 400, 'invalid_grant')

    await endConnection(connection.connectionId)
    expectRefused(await redeem(ended), 400, 'invalid_grant')
    expectRefused(await refresh(pairs[1].refreshToken), 400, 'invalid_grant')
    context.clock.advance(5 * minuteMs)
    expectRefused(await redeem(expired), 400, 'invalid_grant')
  })

  test('400 invalid_grant: a second use of a code revokes its tokens, refreshed ones too', async () => {
    const code = await connectForCode()
    const first = (await redeem(code)).json()
    const second = (await refresh(first.refresh_token)).json()
    expectRefused(await redeem(code), 400, 'invalid_grant')
    expect(await opens(first.access_token)).toBe(false)
    expect(await opens(second.access_token)).toBe(false)
    expectRefused(await refresh(second.refresh_token), 400, 'invalid_grant')
  })

  test('400 invalid_grant: a second use by another app, or with another verifier, revokes nothing', async () => {
    const code = await connectForCode()
    const { access_token: token } = (await redeem(code)).json()
    const other = await seedApp(context)
    expectRefused(await redeem(code, { client_id: other.clientId }), 400, 'invalid_grant')
    expectRefused(await redeem(code, { code_verifier: 'a'.repeat(43) }), 400, 'invalid_grant')
    expect(await opens(token)).toBe(true)
  })

  test('400 invalid_grant: a second use of a refresh token revokes the tokens of its code, and the connection stays', async () => {
    const connection = await connect()
    const pair = await seedAppToken(context, connection)
    const other = await seedAppToken(context, connection)
    const next = (await refresh(pair.refreshToken)).json()
    expectRefused(await refresh(pair.refreshToken), 400, 'invalid_grant')
    expect(await opens(pair.accessToken)).toBe(false)
    expect(await opens(next.access_token)).toBe(false)
    expectRefused(await refresh(next.refresh_token), 400, 'invalid_grant')
    // Those of another code, and a new code.
    expect(await opens(other.accessToken)).toBe(true)
    expect((await redeem(await seedCode(context, connection))).statusCode).toBe(200)
  })

  test('400 invalid_grant: the refresh token of another app looks like an unknown one', async () => {
    const { refreshToken, accessToken } = await seedAppToken(context, await connect())
    const owner = scene.client
    scene.client = await seedApp(context)
    const answer = await refresh(refreshToken)
    expectRefused(answer, 400, 'invalid_grant')
    expect(answer.json()).toEqual((await refresh('nrt_unknown')).json())
    scene.client = owner
    expect((await refresh(refreshToken)).statusCode).toBe(200)
    // A used token revokes nothing if another app sends it.
    scene.client = await seedApp(context)
    expectRefused(await refresh(refreshToken), 400, 'invalid_grant')
    expect(await opens(accessToken)).toBe(true)
  })

  test('400 invalid_target: the consent does not name the resource', async () => {
    const code = await seedCode(context, await connect({ resources: [servers[0]!] }))
    const unknown = ['https://evil.example', `${context.config.baseUrl}.evil.example`, 'mcp', '\0']
    for (const resource of [servers[1]!, servers, ...unknown]) {
      expectRefused(await redeem(code, { resource }), 400, 'invalid_target')
    }
    expect((await redeem(code, { resource: servers[0]! })).statusCode).toBe(200)
  })

  test('400 unsupported_grant_type: the error names the supported ones', async () => {
    const answer = await postFields(app, '/oauth/token', {
      grant_type: 'password',
      client_id: scene.client.clientId,
    })
    expectRefused(answer, 400, 'unsupported_grant_type')
    expect(answer.json().error_description).toMatch(/authorization_code, refresh_token/)
  })

  test('400 unauthorized_client: the token to revoke was issued to another app', async () => {
    const pair = await seedAppToken(context, await connect())
    scene.client = await seedApp(context)
    expectRefused(await revoke(pair.accessToken), 400, 'unauthorized_client')
    expectRefused(await revoke(pair.refreshToken), 400, 'unauthorized_client')
    expect(await opens(pair.accessToken)).toBe(true)
  })

  test('401 invalid_client: client_id is missing or malformed, or a public client sends a secret', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection)
    const { refreshToken } = await seedAppToken(context, connection)
    for (const attempt of [
      (changed: Fields, headers = {}) => redeem(code, changed, headers),
      (changed: Fields, headers = {}) => refresh(refreshToken, changed, headers),
      (changed: Fields, headers = {}) => revoke(refreshToken, changed, headers),
    ]) {
      for (const clientId of [
        '',
        'not an id',
        'app_',
        '\0',
        `${scene.client.clientId}x`,
        `app_${'0'.repeat(22)}`,
      ]) {
        const refused = await attempt({ client_id: clientId })
        expectRefused(refused, 401, 'invalid_client')
        expect(refused.headers['www-authenticate']).toBeUndefined()
      }
      expectRefused(await attempt({ client_secret: 'x' }), 401, 'invalid_client')
      for (const authorization of [
        toBasic({ clientId: scene.client.clientId, secret: 'x' }),
        'Bearer nat_x',
      ]) {
        const refused = await attempt({}, { authorization })
        expectRefused(refused, 401, 'invalid_client')
        expect(refused.headers['www-authenticate']).toBe('Basic realm="numera", charset="UTF-8"')
      }
      context.clock.advance(minuteMs)
    }
    // None of these requests used up the code or the token.
    expect((await redeem(code, { client_secret: '' })).statusCode).toBe(200)
    expect((await refresh(refreshToken)).statusCode).toBe(200)
  })

  test('401 invalid_client: the app was removed', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection)
    const { refreshToken } = await seedAppToken(context, connection)
    await database.pool.query('delete from apps where client_id = $1', [scene.client.clientId])
    expectRefused(await redeem(code), 401, 'invalid_client')
    expectRefused(await refresh(refreshToken), 401, 'invalid_client')
    expectRefused(await revoke(refreshToken), 401, 'invalid_client')
  })

  test('429 temporarily_unavailable: token and revoke share a burst of 20, then one a second', async () => {
    const { refreshToken } = await seedAppToken(context, await connect())
    for (let count = 0; count < 10; count++) {
      expectRefused(await refresh('nrt_unknown'), 400, 'invalid_grant')
      expect((await revoke('nrt_unknown')).statusCode).toBe(200)
    }
    for (const refused of [await refresh(refreshToken), await revoke(refreshToken)]) {
      expectRefused(refused, 429, 'temporarily_unavailable')
      expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-remaining': '0' })
    }
    context.clock.advance(1_000)
    expect((await refresh(refreshToken)).statusCode).toBe(200)
  })

  test('503 temporarily_unavailable: while no tokens are issued, no grant is used up', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection)
    const pair = await seedAppToken(context, connection)
    const issued = await seedAppToken(context, connection)
    const service = await seedConnection(context, { ...scene.seeded, credentialKind: 'client' })
    const grants = [
      () => redeem(code),
      () => refresh(pair.refreshToken),
      () =>
        postFields(
          app,
          '/oauth/token',
          { grant_type: 'client_credentials' },
          { authorization: toBasic(service) },
        ),
    ]
    const stoppedAt = await stopTokens(context)
    for (const grant of grants) {
      const refused = await grant()
      expectRefused(refused, 503, 'temporarily_unavailable')
      expect(refused.headers['retry-after']).toBe('60')
    }
    // What was issued works, and can be revoked.
    expect(await opens(issued.accessToken)).toBe(true)
    expect((await revoke(issued.accessToken)).statusCode).toBe(200)
    expect(await opens(issued.accessToken)).toBe(false)
    context.clock.advance(minuteMs)
    expect(await stopTokens(context)).toEqual(stoppedAt)
    await resumeTokens(context)
    for (const grant of grants) expect((await grant()).statusCode).toBe(200)
  })

  test('503 temporarily_unavailable and 500 server_error reveal no internal details', async () => {
    for (const [code, status, error] of [
      ['ECONNREFUSED', 503, 'temporarily_unavailable'],
      ['23505', 500, 'server_error'],
    ] as const) {
      const query = () => Promise.reject(Object.assign(new Error('a hidden detail'), { code }))
      const broken = await buildApp({
        ...context,
        pool: Object.assign(Object.create(context.pool), { query }) as TestContext['pool'],
      })
      const answer = await postFields(broken, '/oauth/token', toRefreshFields('nrt_x'))
      expectRefused(answer, status, error)
      expect(answer.body).not.toContain('hidden')
      await broken.close()
    }
  })
})

describe('POST /oauth/revoke', () => {
  test('a revocation revokes all tokens of the same code, and the connection stays', async () => {
    const connection = await connect()
    for (const named of ['accessToken', 'refreshToken'] as const) {
      const pair = await seedAppToken(context, connection)
      const other = await seedAppToken(context, connection)
      const next = (await refresh(pair.refreshToken)).json()
      const answer = await revoke(pair[named], { token_type_hint: 'nonsense' })
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toBe('')
      expect(answer.headers['content-length']).toBe('0')
      expect(answer.headers['content-type']).toBeUndefined()
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'ratelimit-limit': '60',
      })
      expect(await opens(pair.accessToken)).toBe(false)
      expect(await opens(next.access_token)).toBe(false)
      expectRefused(await refresh(next.refresh_token), 400, 'invalid_grant')
      expect(await opens(other.accessToken)).toBe(true)
      expect((await redeem(await seedCode(context, connection))).statusCode).toBe(200)
    }
  })

  test('an unknown or revoked token is answered with 200 and no body', async () => {
    const { accessToken } = await seedAppToken(context, await connect())
    for (const token of [accessToken, accessToken, 'nat_unknown', 'nac_unknown', '\0', 'a'.repeat(8_000)]) {
      const answer = await revoke(token)
      expect([answer.statusCode, answer.body]).toEqual([200, ''])
    }
  })

  test('a service connection’s token is answered with 200 and stays valid', async () => {
    const service = await seedConnection(context, { ...scene.seeded, credentialKind: 'client' })
    const { access_token: token } = (
      await postFields(
        app,
        '/oauth/token',
        { grant_type: 'client_credentials' },
        { authorization: toBasic(service) },
      )
    ).json()
    expect((await revoke(token)).statusCode).toBe(200)
    const answer = await app.inject({ url: '/v1/sources', headers: { authorization: `Bearer ${token}` } })
    expect(answer.statusCode).toBe(200)
  })

  test('scripts of any origin may request and revoke tokens', async () => {
    for (const url of ['/oauth/token', '/oauth/revoke']) {
      const preflight = await app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin: 'https://app.example.com',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
      expect(preflight.statusCode).toBe(204)
      expect(preflight.headers['access-control-allow-origin']).toBe('*')
      expect(preflight.headers['access-control-allow-methods']).toContain('POST')
      expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
      expectRefused(await app.inject({ url }), 405, 'invalid_request')
    }
  })
})
