import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { buildApp } from '../../app/app.ts'
import type { App } from '../../platform/http/contract.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCode,
  seedCompany,
  seedConnection,
  seedMember,
  type SeededApp,
  type SeededAppConnection,
  type SeededAppToken,
  type SeededCode,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { createTestContext, type TestContext } from '../../../testing/in-process/test-context.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { deleteExpiredAppTokens, deleteExpiredCodes } from './expiry.ts'
import { resumeTokens, stopTokens } from './token-switch.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const servers = ['https://mcp.example.com/mcp', 'https://other.example.com']

const { database, context, app } = await startTestService({
  environment: { NUMERA_OAUTH_RESOURCES: servers.join(',') },
})
let seeded: SeededCompany
let client: SeededApp
beforeAll(async () => {
  seeded = await seedCompany(context)
})
// A bucket is of a client in its network; each test begins with an app of its own.
beforeEach(async () => {
  client = await seedApp(context)
})

afterEach(() => resumeTokens(context))

/** A member of the company allows the app something. */
const connect = async (
  options: Partial<Parameters<typeof seedAppConnection>[1]> = {},
): Promise<SeededAppConnection> =>
  seedAppConnection(context, {
    app: client,
    member: await seedMember(context, seeded.company.companyId, { role: 'reader' }),
    ...options,
  })

const connectForCode = async (): Promise<SeededCode> => seedCode(context, await connect())

type Fields = Record<string, string | string[]>

const formatOf = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
  ).toString()

const send = (url: string, fields: Fields, headers: Record<string, string> = {}, to: App = app) =>
  to.inject({
    method: 'POST',
    url,
    payload: formatOf(fields),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const codeForm = ({ code, codeVerifier }: SeededCode): Fields => ({
  grant_type: 'authorization_code',
  client_id: client.clientId,
  code,
  redirect_uri: client.redirectUri,
  code_verifier: codeVerifier,
})
const redeem = (code: SeededCode, changed: Fields = {}, headers: Record<string, string> = {}) =>
  send('/oauth/token', { ...codeForm(code), ...changed }, headers)

const refreshForm = (refreshToken: string): Fields => ({
  grant_type: 'refresh_token',
  client_id: client.clientId,
  refresh_token: refreshToken,
})
const refresh = (refreshToken: string, changed: Fields = {}, headers: Record<string, string> = {}) =>
  send('/oauth/token', { ...refreshForm(refreshToken), ...changed }, headers)

const revoke = (token: string, changed: Fields = {}, headers: Record<string, string> = {}) =>
  send('/oauth/revoke', { client_id: client.clientId, token, ...changed }, headers)

const without = (form: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(form).filter(([each]) => each !== name))

/** Whether the access token opens the API. */
const opens = async (accessToken: string): Promise<boolean> => {
  const { statusCode } = await app.inject({
    url: '/v1/companies',
    headers: { authorization: `Bearer ${accessToken}` },
  })
  expect([200, 401]).toContain(statusCode)
  return statusCode === 200
}

type Answer = Awaited<ReturnType<typeof send>>

const expectRefused = (answer: Answer, status: number, error: string): void => {
  expect(answer.json()).toEqual({ error, error_description: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['access-control-allow-origin']).toBe('*')
}

const basicOf = (service: { clientId: string | undefined; secret: string | undefined }): string =>
  `Basic ${Buffer.from(`${service.clientId}:${service.secret}`).toString('base64')}`

const lastUse = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ last_used_at: Date }>(
    'select last_used_at from apps where client_id = $1',
    [client.clientId],
  )
  return rows[0]!.last_used_at.getTime()
}

const endConnection = (connectionId: string) =>
  database.pool.query(
    "update app_connections set ended_at = $2, ended_by = 'member' where connection_id = $1",
    [connectionId, new Date(context.clock.now())],
  )

const resourcesOf = async (tokenFamilyId: string): Promise<Record<string, string[]>> => {
  const { rows } = await database.pool.query<{ kind: string; resources: string[] }>(
    'select kind, resources from app_tokens where token_family_id = $1 and used_at is null order by issued_at',
    [tokenFamilyId],
  )
  return Object.fromEntries(rows.map(({ kind, resources }) => [kind, resources]))
}

describe('grants', () => {
  test('grant_type=authorization_code: client_id, code, redirect_uri and code_verifier give a token answer', async () => {
    const answer = await redeem(await connectForCode())
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^nat_[0-9A-Za-z]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^nrt_[0-9A-Za-z]{43}$/),
      scope: 'company.read metrics.read',
    })
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '19',
    })
    expect(await opens(answer.json().access_token)).toBe(true)
  })

  test('grant_type=authorization_code: all four are required, and an empty one counts as absent', async () => {
    const code = await connectForCode()
    for (const name of ['code', 'redirect_uri', 'code_verifier']) {
      expectRefused(await send('/oauth/token', without(codeForm(code), name)), 400, 'invalid_request')
      expectRefused(await redeem(code, { [name]: '' }), 400, 'invalid_request')
    }
    expectRefused(await send('/oauth/token', without(codeForm(code), 'client_id')), 401, 'invalid_client')
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test('grant_type=authorization_code: a failed attempt leaves the code unused', async () => {
    const code = await connectForCode()
    const wrong: Fields[] = [
      { client_id: (await seedApp(context)).clientId },
      { redirect_uri: `${client.redirectUri}/` },
      { redirect_uri: `${client.redirectUri}\0` },
      { code_verifier: 'a'.repeat(43) },
      { code_verifier: code.codeVerifier.toLowerCase() },
      { code: `${code.code}a` },
      { code: 'nac_\0' },
    ]
    for (const changed of wrong) expectRefused(await redeem(code, changed), 400, 'invalid_grant')
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test('grant_type=authorization_code: a code that the app was sent for fewer permissions gives fewer', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection, { permissions: ['company.read'] })
    expect((await redeem(code)).json().scope).toBe('company.read')
  })

  test('grant_type=authorization_code: `resource` if one was requested at authorize, the same', async () => {
    const connection = await connect({ resources: servers })
    const code = await seedCode(context, connection)
    const own = [context.config.baseUrl, `${context.config.baseUrl}/v1/samples`]
    expect((await redeem(code, { resource: [...own, ...servers] })).statusCode).toBe(200)
    expect(await resourcesOf(code.tokenFamilyId)).toEqual({ access: servers, refresh: servers })
  })

  test('grant_type=authorization_code: `resource` left out gives tokens for this service alone', async () => {
    const code = await seedCode(context, await connect({ resources: servers }))
    expect((await redeem(code)).statusCode).toBe(200)
    expect(await resourcesOf(code.tokenFamilyId)).toEqual({ access: [], refresh: [] })
  })

  test('grant_type=refresh_token: client_id and refresh_token give a token answer with a new refresh token', async () => {
    const held = await seedAppToken(context, await connect())
    const answer = await refresh(held.refreshToken)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^nat_[0-9A-Za-z]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^nrt_[0-9A-Za-z]{43}$/),
      scope: 'company.read metrics.read',
    })
    expect(answer.json().refresh_token).not.toBe(held.refreshToken)
    expect(await opens(answer.json().access_token)).toBe(true)
    // The previous access token works until its own end.
    expect(await opens(held.accessToken)).toBe(true)
    expect((await refresh(answer.json().refresh_token)).statusCode).toBe(200)
  })

  test('grant_type=refresh_token: both are required', async () => {
    const { refreshToken } = await seedAppToken(context, await connect())
    const form = refreshForm(refreshToken)
    expectRefused(await send('/oauth/token', without(form, 'refresh_token')), 400, 'invalid_request')
    expectRefused(await send('/oauth/token', without(form, 'client_id')), 401, 'invalid_client')
    expect((await refresh(refreshToken)).statusCode).toBe(200)
  })

  test('grant_type=refresh_token: scope may narrow one answer; the next refresh token holds what this one held', async () => {
    const { refreshToken } = await seedAppToken(context, await connect())
    const narrowed = (await refresh(refreshToken, { scope: 'metrics.read' })).json()
    expect(narrowed.scope).toBe('metrics.read')
    const next = (await refresh(narrowed.refresh_token)).json()
    expect(next.scope).toBe('company.read metrics.read')
    expect((await refresh(next.refresh_token, { scope: ' metrics.read  company.read' })).json().scope).toBe(
      'company.read metrics.read',
    )
  })

  test('grant_type=refresh_token: a wider scope is invalid_scope and leaves the refresh token unused', async () => {
    const connection = await connect()
    const { refreshToken } = await seedAppToken(context, connection, { permissions: ['metrics.read'] })
    for (const scope of [
      'company.read metrics.read',
      'sources.ingest',
      'ledger.read.nin',
      'METRICS.READ',
      'metrics.read\tcompany.read',
      'metrics.read \0',
      ' ',
    ]) {
      expectRefused(await refresh(refreshToken, { scope }), 400, 'invalid_scope')
    }
    expect((await refresh(refreshToken, { scope: '' })).json().scope).toBe('metrics.read')
  })

  test('grant_type=refresh_token: resource may narrow one answer; a server not held is invalid_target', async () => {
    const connection = await connect({ resources: servers })
    const held = await seedAppToken(context, connection, { resources: [servers[0]!] })
    expectRefused(await refresh(held.refreshToken, { resource: servers[1]! }), 400, 'invalid_target')
    const narrowed = await refresh(held.refreshToken, { resource: context.config.baseUrl })
    expect(narrowed.statusCode).toBe(200)
    expect(await resourcesOf(held.tokenFamilyId)).toEqual({ access: [], refresh: [servers[0]] })
    context.clock.advance(1_000)
    expect((await refresh(narrowed.json().refresh_token)).statusCode).toBe(200)
    expect(await resourcesOf(held.tokenFamilyId)).toEqual({ access: [servers[0]], refresh: [servers[0]] })
  })

  test('codes and tokens are stored nowhere as they are', async () => {
    const code = await connectForCode()
    const { access_token: access, refresh_token: next } = (await redeem(code)).json()
    for (const table of ['authorization_codes', 'app_tokens']) {
      const { rows } = await database.pool.query<{ row: string }>(
        `select ${table}::text as row from ${table}`,
      )
      for (const secret of [code.code, code.codeVerifier, access, next]) {
        const spellings = [
          secret,
          Buffer.from(secret).toString('hex'),
          Buffer.from(secret).toString('base64'),
        ]
        for (const spelling of spellings) expect(rows.some(({ row }) => row.includes(spelling))).toBe(false)
      }
    }
  })
})

describe('errors', () => {
  test('400 invalid_request: parameter missing, given twice, or body not a form', async () => {
    const code = await connectForCode()
    expectRefused(await send('/oauth/token', without(codeForm(code), 'grant_type')), 400, 'invalid_request')
    for (const name of ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'state']) {
      const value = codeForm(code)[name] ?? 'x'
      expectRefused(await redeem(code, { [name]: [value, value].flat() }), 400, 'invalid_request')
    }
    for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${code.codeVerifier}=`]) {
      expectRefused(await redeem(code, { code_verifier: verifier }), 400, 'invalid_request')
    }
    for (const url of ['/oauth/token', '/oauth/revoke']) {
      const json = await app.inject({ method: 'POST', url, payload: codeForm(code) })
      expectRefused(json, 400, 'invalid_request')
      expectRefused(await app.inject({ method: 'POST', url }), 400, 'invalid_request')
    }
    expectRefused(await send('/oauth/revoke', { client_id: client.clientId }), 400, 'invalid_request')
    expectRefused(await revoke('x', { token: ['x', 'y'] }), 400, 'invalid_request')
    context.clock.advance(minuteMs)
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test('400 invalid_grant: code or refresh token wrong, used, expired, or its connection ended', async () => {
    const connection = await connect()
    const [used, expired, ended] = [
      await seedCode(context, connection),
      await seedCode(context, connection),
      await seedCode(context, connection),
    ]
    expect((await redeem(used)).statusCode).toBe(200)
    expectRefused(await redeem(used), 400, 'invalid_grant')
    expectRefused(await redeem({ ...used, code: 'nac_unknown' }), 400, 'invalid_grant')
    const held = [await seedAppToken(context, connection), await seedAppToken(context, connection)] as const
    expect((await refresh(held[0].refreshToken)).statusCode).toBe(200)
    expectRefused(await refresh(held[0].refreshToken), 400, 'invalid_grant')
    expectRefused(await refresh('nrt_unknown'), 400, 'invalid_grant')
    // An access token is none either.
    expectRefused(await refresh(held[1].accessToken), 400, 'invalid_grant')

    await endConnection(connection.connectionId)
    expectRefused(await redeem(ended), 400, 'invalid_grant')
    expectRefused(await refresh(held[1].refreshToken), 400, 'invalid_grant')
    context.clock.advance(5 * minuteMs)
    expectRefused(await redeem(expired), 400, 'invalid_grant')
  })

  test('400 invalid_grant: a second use of a code ends its tokens, those of a refresh included', async () => {
    const code = await connectForCode()
    const first = (await redeem(code)).json()
    const second = (await refresh(first.refresh_token)).json()
    expectRefused(await redeem(code), 400, 'invalid_grant')
    expect(await opens(first.access_token)).toBe(false)
    expect(await opens(second.access_token)).toBe(false)
    expectRefused(await refresh(second.refresh_token), 400, 'invalid_grant')
  })

  test('400 invalid_grant: a second use by another app, or with another verifier, ends nothing', async () => {
    const code = await connectForCode()
    const { access_token: token } = (await redeem(code)).json()
    const other = await seedApp(context)
    expectRefused(await redeem(code, { client_id: other.clientId }), 400, 'invalid_grant')
    expectRefused(await redeem(code, { code_verifier: 'a'.repeat(43) }), 400, 'invalid_grant')
    expect(await opens(token)).toBe(true)
  })

  test('400 invalid_grant: a used refresh token ends the tokens of its code, and the connection stays', async () => {
    const connection = await connect()
    const held = await seedAppToken(context, connection)
    const other = await seedAppToken(context, connection)
    const next = (await refresh(held.refreshToken)).json()
    expectRefused(await refresh(held.refreshToken), 400, 'invalid_grant')
    expect(await opens(held.accessToken)).toBe(false)
    expect(await opens(next.access_token)).toBe(false)
    expectRefused(await refresh(next.refresh_token), 400, 'invalid_grant')
    // Those of another code, and a new code.
    expect(await opens(other.accessToken)).toBe(true)
    expect((await redeem(await seedCode(context, connection))).statusCode).toBe(200)
  })

  test('400 invalid_grant: the refresh token of another app looks like an unknown one', async () => {
    const { refreshToken, accessToken } = await seedAppToken(context, await connect())
    const owner = client
    client = await seedApp(context)
    const answer = await refresh(refreshToken)
    expectRefused(answer, 400, 'invalid_grant')
    expect(answer.json()).toEqual((await refresh('nrt_unknown')).json())
    client = owner
    expect((await refresh(refreshToken)).statusCode).toBe(200)
    // Nor does a used one of another app end anything.
    client = await seedApp(context)
    expectRefused(await refresh(refreshToken), 400, 'invalid_grant')
    expect(await opens(accessToken)).toBe(true)
  })

  test("400 invalid_target: resource not named in the member's consent", async () => {
    const code = await seedCode(context, await connect({ resources: [servers[0]!] }))
    const unknown = ['https://evil.example', `${context.config.baseUrl}.evil.example`, 'mcp', '\0']
    for (const resource of [servers[1]!, servers, ...unknown]) {
      expectRefused(await redeem(code, { resource }), 400, 'invalid_target')
    }
    expect((await redeem(code, { resource: servers[0]! })).statusCode).toBe(200)
  })

  test('400 unsupported_grant_type: use `authorization_code` or `refresh_token`', async () => {
    const answer = await send('/oauth/token', { grant_type: 'password', client_id: client.clientId })
    expectRefused(answer, 400, 'unsupported_grant_type')
    expect(answer.json().error_description).toMatch(/authorization_code, refresh_token/)
  })

  test('400 unauthorized_client: revocation of a token issued to another app', async () => {
    const held = await seedAppToken(context, await connect())
    client = await seedApp(context)
    expectRefused(await revoke(held.accessToken), 400, 'unauthorized_client')
    expectRefused(await revoke(held.refreshToken), 400, 'unauthorized_client')
    expect(await opens(held.accessToken)).toBe(true)
  })

  test('401 invalid_client: `client_id` missing or not an id, or a secret was sent (public clients)', async () => {
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
        `${client.clientId}x`,
        `app_${'0'.repeat(22)}`,
      ]) {
        const refused = await attempt({ client_id: clientId })
        expectRefused(refused, 401, 'invalid_client')
        expect(refused.headers['www-authenticate']).toBeUndefined()
      }
      expectRefused(await attempt({ client_secret: 'x' }), 401, 'invalid_client')
      for (const authorization of [basicOf({ clientId: client.clientId, secret: 'x' }), 'Bearer nat_x']) {
        const refused = await attempt({}, { authorization })
        expectRefused(refused, 401, 'invalid_client')
        expect(refused.headers['www-authenticate']).toBe('Basic realm="numera", charset="UTF-8"')
      }
      context.clock.advance(minuteMs)
    }
    // Nothing was used up by all that.
    expect((await redeem(code, { client_secret: '' })).statusCode).toBe(200)
    expect((await refresh(refreshToken)).statusCode).toBe(200)
  })

  test('401 invalid_client: an app that was removed', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection)
    const { refreshToken } = await seedAppToken(context, connection)
    await database.pool.query('delete from apps where client_id = $1', [client.clientId])
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

  test('503 temporarily_unavailable: no tokens are issued now, by any grant, and nothing is used up', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection)
    const held = await seedAppToken(context, connection)
    const given = await seedAppToken(context, connection)
    const service = await seedConnection(context, { ...seeded, credentialKind: 'client' })
    const grants = [
      () => redeem(code),
      () => refresh(held.refreshToken),
      () => send('/oauth/token', { grant_type: 'client_credentials' }, { authorization: basicOf(service) }),
    ]
    const stoppedAt = await stopTokens(context)
    for (const grant of grants) {
      const refused = await grant()
      expectRefused(refused, 503, 'temporarily_unavailable')
      expect(refused.headers['retry-after']).toBe('60')
    }
    // What was issued works, and can be given up.
    expect(await opens(given.accessToken)).toBe(true)
    expect((await revoke(given.accessToken)).statusCode).toBe(200)
    expect(await opens(given.accessToken)).toBe(false)
    context.clock.advance(minuteMs)
    expect(await stopTokens(context)).toEqual(stoppedAt)
    await resumeTokens(context)
    for (const grant of grants) expect((await grant()).statusCode).toBe(200)
  })

  test('503 temporarily_unavailable and 500 server_error: without internal details', async () => {
    for (const [code, status, error] of [
      ['ECONNREFUSED', 503, 'temporarily_unavailable'],
      ['23505', 500, 'server_error'],
    ] as const) {
      const query = () => Promise.reject(Object.assign(new Error('a hidden detail'), { code }))
      const broken = await buildApp({
        ...context,
        pool: Object.assign(Object.create(context.pool), { query }) as TestContext['pool'],
      })
      const answer = await send('/oauth/token', refreshForm('nrt_x'), {}, broken)
      expectRefused(answer, status, error)
      expect(answer.body).not.toContain('hidden')
      await broken.close()
    }
  })
})

describe('lifetimes', () => {
  test('authorization code: 5 minutes, one use', async () => {
    const connection = await connect()
    const [inTime, late] = [await seedCode(context, connection), await seedCode(context, connection)]
    context.clock.advance(5 * minuteMs - 1)
    expect((await redeem(inTime)).statusCode).toBe(200)
    expectRefused(await redeem(inTime), 400, 'invalid_grant')
    context.clock.advance(1)
    expectRefused(await redeem(late), 400, 'invalid_grant')
  })

  test('access token: one hour', async () => {
    const code = await connectForCode()
    const { access_token: token, expires_in: seconds } = (await redeem(code)).json()
    expect(seconds).toBe(3600)
    context.clock.advance(hourMs - 1)
    expect(await opens(token)).toBe(true)
    context.clock.advance(1)
    expect(await opens(token)).toBe(false)
  })

  test('access token: less if the connection ends sooner, as in `expires_in`', async () => {
    const connection = await connect({ expiresAt: new Date(context.clock.now() + 2 * minuteMs + 500) })
    const first = (await redeem(await seedCode(context, connection))).json()
    expect(first.expires_in).toBe(120)
    context.clock.advance(minuteMs)
    const next = (await refresh(first.refresh_token)).json()
    expect(next.expires_in).toBe(60)
    context.clock.advance(minuteMs + 499)
    expect(await opens(next.access_token)).toBe(true)
    context.clock.advance(1)
    expect(await opens(next.access_token)).toBe(false)
  })

  test('refresh token: until used once, or the connection ends; refreshing does not move that end', async () => {
    const connection = await connect()
    const { refreshToken } = await seedAppToken(context, connection)
    context.clock.set(connection.expiresAt.getTime() - 1_000)
    const next = (await refresh(refreshToken)).json()
    expect(next.expires_in).toBe(1)
    context.clock.advance(1_000)
    expectRefused(await refresh(next.refresh_token), 400, 'invalid_grant')
  })

  test('a used code and a used refresh token are known as such until their connection is over', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection)
    const forget = async () => {
      await deleteExpiredCodes(context, context.clock.now())
      await deleteExpiredAppTokens(context, context.clock.now())
    }
    const first = (await redeem(code)).json()
    const second = (await refresh(first.refresh_token)).json()
    context.clock.advance(89 * dayMs)
    await forget()
    // The access tokens are deleted by now; what has been used is not.
    const third = (await refresh(second.refresh_token)).json()
    expectRefused(await refresh(first.refresh_token), 400, 'invalid_grant')
    expect(await opens(third.access_token)).toBe(false)

    const again = await seedCode(context, connection)
    const pair = (await redeem(again)).json()
    context.clock.advance(dayMs - 1)
    await forget()
    expectRefused(await redeem(again), 400, 'invalid_grant')
    expectRefused(await refresh(pair.refresh_token), 400, 'invalid_grant')

    context.clock.advance(1)
    await forget()
    for (const table of ['authorization_codes', 'app_tokens']) {
      const { rows } = await database.pool.query(`select from ${table} where connection_id = $1`, [
        connection.connectionId,
      ])
      expect(rows, table).toHaveLength(0)
    }
  })

  test('a code that is never exchanged is deleted after its five minutes', async () => {
    const { tokenFamilyId } = await connectForCode()
    const kept = async () =>
      (
        await database.pool.query('select from authorization_codes where token_family_id = $1', [
          tokenFamilyId,
        ])
      ).rows.length
    context.clock.advance(5 * minuteMs - 1)
    await deleteExpiredCodes(context, context.clock.now())
    expect(await kept()).toBe(1)
    context.clock.advance(1)
    await deleteExpiredCodes(context, context.clock.now())
    expect(await kept()).toBe(0)
  })

  test('unused registered app: exchanging a code or a refresh token is a use, recorded once an hour', async () => {
    const connection = await connect()
    const registeredAt = await lastUse()
    context.clock.advance(hourMs - 1)
    const code = await seedCode(context, connection)
    expectRefused(await redeem(code, { code_verifier: 'a'.repeat(43) }), 400, 'invalid_grant')
    const { refresh_token: token } = (await redeem(code)).json()
    expect(await lastUse()).toBe(registeredAt)
    context.clock.advance(1)
    const next = (await refresh(token)).json()
    expect(await lastUse()).toBe(registeredAt + hourMs)
    context.clock.advance(hourMs)
    expectRefused(await refresh('nrt_unknown'), 400, 'invalid_grant')
    expect(await lastUse()).toBe(registeredAt + hourMs)
    expect((await refresh(next.refresh_token)).statusCode).toBe(200)
    expect(await lastUse()).toBe(registeredAt + 2 * hourMs)
  })
})

describe('POST /oauth/revoke', () => {
  test('every token from the same code is revoked, whichever is named; the connection stays', async () => {
    const connection = await connect()
    for (const named of ['accessToken', 'refreshToken'] as const) {
      const held = await seedAppToken(context, connection)
      const other = await seedAppToken(context, connection)
      const next = (await refresh(held.refreshToken)).json()
      const answer = await revoke(held[named], { token_type_hint: 'nonsense' })
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toBe('')
      expect(answer.headers['content-length']).toBe('0')
      expect(answer.headers['content-type']).toBeUndefined()
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'ratelimit-limit': '60',
      })
      expect(await opens(held.accessToken)).toBe(false)
      expect(await opens(next.access_token)).toBe(false)
      expectRefused(await refresh(next.refresh_token), 400, 'invalid_grant')
      expect(await opens(other.accessToken)).toBe(true)
      expect((await redeem(await seedCode(context, connection))).statusCode).toBe(200)
    }
  })

  test('200 with no body, also for an unknown or already revoked token', async () => {
    const { accessToken } = await seedAppToken(context, await connect())
    for (const token of [accessToken, accessToken, 'nat_unknown', 'nac_unknown', '\0', 'a'.repeat(8_000)]) {
      const answer = await revoke(token)
      expect([answer.statusCode, answer.body]).toEqual([200, ''])
    }
  })

  test("a service connection's token answers 200 and stays", async () => {
    const service = await seedConnection(context, { ...seeded, credentialKind: 'client' })
    const { access_token: token } = (
      await send('/oauth/token', { grant_type: 'client_credentials' }, { authorization: basicOf(service) })
    ).json()
    expect((await revoke(token)).statusCode).toBe(200)
    const answer = await app.inject({ url: '/v1/sources', headers: { authorization: `Bearer ${token}` } })
    expect(answer.statusCode).toBe(200)
  })

  test('a script of any origin may ask for tokens and give them up, preflight included', async () => {
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

/** A process with limits that are not reached. */
const quickContext = () =>
  createTestContext(database.pool, {
    clock: context.clock,
    environment: {
      NUMERA_OAUTH_RESOURCES: servers.join(','),
      NUMERA_OAUTH_RATE_BURST: '10000',
      NUMERA_OAUTH_RATE_PER_MINUTE: '10000',
    },
  })

/** From a network of its own, so that the two do not share a bucket. */
const exchangeAll = (to: App, remoteAddress: string, tokens: string[]) =>
  Promise.all(
    tokens.map((token) =>
      to.inject({
        method: 'POST',
        url: '/oauth/token',
        payload: formatOf(refreshForm(token)),
        remoteAddress,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ),
  )

/** Keeps all other transactions from the token until it is released. */
const holdToken = async (token: string): Promise<() => Promise<void>> => {
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query('select from app_tokens where token_hash = $1 for update', [hashSecret(token)])
  return async () => {
    await holder.query('commit')
    holder.release()
  }
}

/** Settles once this many statements wait for a lock. */
const untilWaiting = (count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      expect(rows).toHaveLength(count)
    },
    { timeout: 5_000 },
  )

const expectOneWinner = async (answers: Answer[]): Promise<void> => {
  const won = answers.filter((answer) => answer.statusCode === 200)
  expect(won).toHaveLength(1)
  for (const answer of answers) if (answer !== won[0]) expectRefused(answer, 400, 'invalid_grant')
  // The others are second uses: it is unknown whether the first use was the app's own.
  const { access_token: access, refresh_token: next } = won[0]!.json()
  expect(await opens(access)).toBe(false)
  expectRefused(await refresh(next), 400, 'invalid_grant')
}

describe('at the same time', () => {
  let quick: App
  beforeAll(async () => {
    quick = await buildApp(quickContext())
  })
  afterAll(() => quick.close())

  test('of 50 tries of one code one wins, and the second use ends what it won', async () => {
    const form = codeForm(await connectForCode())
    await expectOneWinner(
      await Promise.all(Array.from({ length: 50 }, () => send('/oauth/token', form, {}, quick))),
    )
  })

  test('of 50 tries of one refresh token one wins, and the second use ends what it won', async () => {
    const { refreshToken } = await seedAppToken(context, await connect())
    const form = refreshForm(refreshToken)
    await expectOneWinner(
      await Promise.all(Array.from({ length: 50 }, () => send('/oauth/token', form, {}, quick))),
    )
  })

  test('refreshes that share a statement are each refused or answered by themselves', async () => {
    const connection = await connect({ resources: servers })
    const [plain, narrowed, tooWide, elsewhere, used, twice] = (await Promise.all(
      Array.from({ length: 6 }, () => seedAppToken(context, connection, { permissions: ['company.read'] })),
    )) as [SeededAppToken, SeededAppToken, SeededAppToken, SeededAppToken, SeededAppToken, SeededAppToken]
    expect((await refresh(used.refreshToken)).statusCode).toBe(200)
    const asked: [SeededAppToken, Fields, number, string | undefined][] = [
      [plain, {}, 200, undefined],
      [narrowed, { scope: 'company.read', resource: servers[1]! }, 200, undefined],
      [tooWide, { scope: 'metrics.read' }, 400, 'invalid_scope'],
      [elsewhere, { client_id: (await seedApp(context)).clientId }, 400, 'invalid_grant'],
      [used, {}, 400, 'invalid_grant'],
      [twice, {}, 200, undefined],
      [twice, {}, 400, 'invalid_grant'],
    ]
    const answers = await Promise.all(
      asked.map(([{ refreshToken }, changed]) =>
        send('/oauth/token', { ...refreshForm(refreshToken), ...changed }, {}, quick),
      ),
    )
    for (const [index, answer] of answers.entries()) {
      const [, , status, error] = asked[index]!
      expect([answer.statusCode, answer.json().error]).toEqual([status, error])
    }
    expect(await resourcesOf(narrowed.tokenFamilyId)).toEqual({ access: [servers[1]], refresh: servers })
    expect(await opens(plain.accessToken)).toBe(true)
    expect(await opens(twice.accessToken)).toBe(false)
    expect((await refresh(tooWide.refreshToken)).statusCode).toBe(200)
    expect((await refresh(elsewhere.refreshToken)).statusCode).toBe(200)
  })

  test('tokens used twice, in two processes and in any order, are each exchanged once', async () => {
    await using other = await buildApp(quickContext())
    const connections = await Promise.all(Array.from({ length: 40 }, () => connect()))
    for (let round = 0; round < 4; round++) {
      const held = await Promise.all(connections.map((connection) => seedAppToken(context, connection)))
      const tokens = held.map(({ refreshToken }) => refreshToken)
      const release = await holdToken(tokens[20]!)
      const exchanging = Promise.all([
        exchangeAll(quick, '192.0.2.1', tokens),
        exchangeAll(other, '198.51.100.1', tokens.toReversed()),
      ])
      await untilWaiting(2)
      await release()
      const [here, there] = await exchanging
      for (const [index, answer] of here.entries()) {
        const both = [answer, there.at(-1 - index)!].map(({ statusCode }) => statusCode)
        expect(both.toSorted()).toEqual([200, 400])
      }
    }
  })

  test('a revocation waits for a refresh in progress, and ends the tokens that it issued', async () => {
    const { refreshToken, accessToken } = await seedAppToken(context, await connect())
    const release = await holdToken(refreshToken)
    const refreshing = refresh(refreshToken)
    await untilWaiting(1)
    const revoking = revoke(accessToken)
    await untilWaiting(2)
    await release()
    const answer = await refreshing
    expect(answer.statusCode).toBe(200)
    expect((await revoking).statusCode).toBe(200)
    expect(await opens(answer.json().access_token)).toBe(false)
    expectRefused(await refresh(answer.json().refresh_token), 400, 'invalid_grant')
  })

  test('no token survives a revocation, however quickly the app refreshes', async () => {
    for (let round = 0; round < 10; round++) {
      const held = await seedAppToken(context, await connect())
      const access: string[] = [held.accessToken]
      let token = held.refreshToken
      const under = Promise.withResolvers<void>()
      const goOn = async (): Promise<void> => {
        for (;;) {
          const answer = await send('/oauth/token', refreshForm(token), {}, quick)
          if (answer.statusCode !== 200) {
            under.resolve()
            return expectRefused(answer, 400, 'invalid_grant')
          }
          token = answer.json().refresh_token
          access.push(answer.json().access_token)
          if (access.length === 3) under.resolve()
        }
      }
      const going = goOn()
      await under.promise
      const given = await send(
        '/oauth/revoke',
        { client_id: client.clientId, token: held.accessToken },
        {},
        quick,
      )
      expect(given.statusCode).toBe(200)
      await going
      expect(access.length).toBeGreaterThanOrEqual(3)
      for (const each of access) expect(await opens(each)).toBe(false)
    }
  })
})
