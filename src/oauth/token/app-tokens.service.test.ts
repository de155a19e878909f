import { describe, expect, test } from 'vitest'
import { seedApp, seedAppToken, seedCode } from '../../../testing/in-process/seed.ts'
import { deleteExpiredAppTokens, deleteExpiredCodes } from './expiry.ts'
import {
  minuteMs,
  hourMs,
  dayMs,
  servers,
  type Fields,
  without,
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
  opens,
  readResources,
} = scene

const readLastUse = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ last_used_at: Date }>(
    'select last_used_at from apps where client_id = $1',
    [scene.client.clientId],
  )
  return rows[0]!.last_used_at.getTime()
}

describe('authorization_code', () => {
  test('client_id, code, redirect_uri and code_verifier give tokens', async () => {
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

  test('all four are required, and an empty one counts as absent', async () => {
    const code = await connectForCode()
    for (const name of ['code', 'redirect_uri', 'code_verifier']) {
      expectRefused(
        await postFields(app, '/oauth/token', without(toCodeFields(code), name)),
        400,
        'invalid_request',
      )
      expectRefused(await redeem(code, { [name]: '' }), 400, 'invalid_request')
    }
    expectRefused(
      await postFields(app, '/oauth/token', without(toCodeFields(code), 'client_id')),
      401,
      'invalid_client',
    )
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test('a failed attempt leaves the code unused', async () => {
    const code = await connectForCode()
    const wrong: Fields[] = [
      { client_id: (await seedApp(context)).clientId },
      { redirect_uri: `${scene.client.redirectUri}/` },
      { redirect_uri: `${scene.client.redirectUri}\0` },
      { code_verifier: 'a'.repeat(43) },
      { code_verifier: code.codeVerifier.toLowerCase() },
      { code: `${code.code}a` },
      { code: 'nac_\0' },
    ]
    for (const changed of wrong) expectRefused(await redeem(code, changed), 400, 'invalid_grant')
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test('a code for fewer permissions gives fewer', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection, { permissions: ['company.read'] })
    expect((await redeem(code)).json().scope).toBe('company.read')
  })

  test('the same resources as at authorize may be named', async () => {
    const connection = await connect({ resources: servers })
    const code = await seedCode(context, connection)
    const own = [context.config.baseUrl, `${context.config.baseUrl}/v1/samples`]
    expect((await redeem(code, { resource: [...own, ...servers] })).statusCode).toBe(200)
    expect(await readResources(code.tokenFamilyId)).toEqual({ access: servers, refresh: servers })
  })

  test('without resource the tokens are for this service only', async () => {
    const code = await seedCode(context, await connect({ resources: servers }))
    expect((await redeem(code)).statusCode).toBe(200)
    expect(await readResources(code.tokenFamilyId)).toEqual({ access: [], refresh: [] })
  })
})

describe('refresh_token', () => {
  test('client_id and refresh_token give new tokens', async () => {
    const pair = await seedAppToken(context, await connect())
    const answer = await refresh(pair.refreshToken)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^nat_[0-9A-Za-z]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^nrt_[0-9A-Za-z]{43}$/),
      scope: 'company.read metrics.read',
    })
    expect(answer.json().refresh_token).not.toBe(pair.refreshToken)
    expect(await opens(answer.json().access_token)).toBe(true)
    // The previous access token works until its own end.
    expect(await opens(pair.accessToken)).toBe(true)
    expect((await refresh(answer.json().refresh_token)).statusCode).toBe(200)
  })

  test('both are required', async () => {
    const { refreshToken } = await seedAppToken(context, await connect())
    const form = toRefreshFields(refreshToken)
    expectRefused(
      await postFields(app, '/oauth/token', without(form, 'refresh_token')),
      400,
      'invalid_request',
    )
    expectRefused(await postFields(app, '/oauth/token', without(form, 'client_id')), 401, 'invalid_client')
    expect((await refresh(refreshToken)).statusCode).toBe(200)
  })

  test('scope narrows one answer only, not the next refresh token', async () => {
    const { refreshToken } = await seedAppToken(context, await connect())
    const narrowed = (await refresh(refreshToken, { scope: 'metrics.read' })).json()
    expect(narrowed.scope).toBe('metrics.read')
    const next = (await refresh(narrowed.refresh_token)).json()
    expect(next.scope).toBe('company.read metrics.read')
    expect((await refresh(next.refresh_token, { scope: ' metrics.read  company.read' })).json().scope).toBe(
      'company.read metrics.read',
    )
  })

  test('a wider scope is invalid_scope, and leaves the refresh token unused', async () => {
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

  test('resource narrows one answer only; another server is invalid_target', async () => {
    const connection = await connect({ resources: servers })
    const pair = await seedAppToken(context, connection, { resources: [servers[0]!] })
    expectRefused(await refresh(pair.refreshToken, { resource: servers[1]! }), 400, 'invalid_target')
    context.clock.advance(1_000)
    const narrowed = await refresh(pair.refreshToken, { resource: context.config.baseUrl })
    expect(narrowed.statusCode).toBe(200)
    expect(await readResources(pair.tokenFamilyId)).toEqual({ access: [], refresh: [servers[0]] })
    context.clock.advance(1_000)
    expect((await refresh(narrowed.json().refresh_token)).statusCode).toBe(200)
    expect(await readResources(pair.tokenFamilyId)).toEqual({ access: [servers[0]], refresh: [servers[0]] })
  })
})

test('tokens for the tools of assistants stay for these alone, also where the service is named or nothing', async () => {
  const tools = `${context.config.baseUrl}/mcp`
  for (const named of [{ resource: tools }, { resource: context.config.baseUrl }, {}]) {
    const code = await seedCode(context, await connect(), { resources: [tools] })
    const { access_token: access, refresh_token: next } = (await redeem(code, named)).json()
    expect(await opens(access)).toBe(false)
    context.clock.advance(1_000)
    const refreshed = (await refresh(next, named)).json()
    expect(await opens(refreshed.access_token)).toBe(false)
    expect(await readResources(code.tokenFamilyId)).toEqual({ access: [tools], refresh: [tools] })
  }
  // A code for the whole service gives no tokens for a part of it: the app requested others.
  expectRefused(
    await redeem(await seedCode(context, await connect()), { resource: tools }),
    400,
    'invalid_target',
  )
})

test('codes and tokens are stored as hashes only', async () => {
  const code = await connectForCode()
  const { access_token: access, refresh_token: next } = (await redeem(code)).json()
  for (const table of ['authorization_codes', 'app_tokens']) {
    const { rows } = await database.pool.query<{ row: string }>(`select ${table}::text as row from ${table}`)
    for (const secret of [code.code, code.codeVerifier, access, next]) {
      const spellings = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]
      for (const spelling of spellings) expect(rows.some(({ row }) => row.includes(spelling))).toBe(false)
    }
  }
})

describe('lifetimes', () => {
  test('a code is exchanged once, within five minutes', async () => {
    const connection = await connect()
    const [inTime, late] = [await seedCode(context, connection), await seedCode(context, connection)]
    context.clock.advance(5 * minuteMs - 1)
    expect((await redeem(inTime)).statusCode).toBe(200)
    expectRefused(await redeem(inTime), 400, 'invalid_grant')
    context.clock.advance(1)
    expectRefused(await redeem(late), 400, 'invalid_grant')
  })

  test('an access token is valid for one hour', async () => {
    const code = await connectForCode()
    const { access_token: token, expires_in: seconds } = (await redeem(code)).json()
    expect(seconds).toBe(3600)
    context.clock.advance(hourMs - 1)
    expect(await opens(token)).toBe(true)
    context.clock.advance(1)
    expect(await opens(token)).toBe(false)
  })

  test('an access token ends with its connection, and expires_in says so', async () => {
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

  test('a refresh token ends with its connection, which refreshing does not prolong', async () => {
    const connection = await connect()
    const { refreshToken } = await seedAppToken(context, connection)
    context.clock.set(connection.expiresAt.getTime() - 1_000)
    const next = (await refresh(refreshToken)).json()
    expect(next.expires_in).toBe(1)
    context.clock.advance(1_000)
    expectRefused(await refresh(next.refresh_token), 400, 'invalid_grant')
  })

  test('used codes and refresh tokens are recognised until their connection ends', async () => {
    const connection = await connect()
    const code = await seedCode(context, connection)
    const deleteExpired = async () => {
      await deleteExpiredCodes(context, context.clock.now())
      await deleteExpiredAppTokens(context, context.clock.now())
    }
    const first = (await redeem(code)).json()
    const second = (await refresh(first.refresh_token)).json()
    context.clock.advance(89 * dayMs)
    await deleteExpired()
    // The access tokens are deleted by now; what has been used is not.
    const third = (await refresh(second.refresh_token)).json()
    expectRefused(await refresh(first.refresh_token), 400, 'invalid_grant')
    expect(await opens(third.access_token)).toBe(false)

    const again = await seedCode(context, connection)
    const pair = (await redeem(again)).json()
    context.clock.advance(dayMs - 1)
    await deleteExpired()
    expectRefused(await redeem(again), 400, 'invalid_grant')
    expectRefused(await refresh(pair.refresh_token), 400, 'invalid_grant')

    context.clock.advance(1)
    await deleteExpired()
    for (const table of ['authorization_codes', 'app_tokens']) {
      const { rows } = await database.pool.query(`select from ${table} where connection_id = $1`, [
        connection.connectionId,
      ])
      expect(rows, table).toHaveLength(0)
    }
  })

  test('an unused code is deleted after its five minutes', async () => {
    const { tokenFamilyId } = await connectForCode()
    const countStored = async () =>
      (
        await database.pool.query('select from authorization_codes where token_family_id = $1', [
          tokenFamilyId,
        ])
      ).rows.length
    context.clock.advance(5 * minuteMs - 1)
    await deleteExpiredCodes(context, context.clock.now())
    expect(await countStored()).toBe(1)
    context.clock.advance(1)
    await deleteExpiredCodes(context, context.clock.now())
    expect(await countStored()).toBe(0)
  })

  test('exchanging a code or refresh token is a use of the app, recorded once an hour', async () => {
    const connection = await connect()
    const registeredAt = await readLastUse()
    context.clock.advance(hourMs - 1)
    const code = await seedCode(context, connection)
    expectRefused(await redeem(code, { code_verifier: 'a'.repeat(43) }), 400, 'invalid_grant')
    const { refresh_token: token } = (await redeem(code)).json()
    expect(await readLastUse()).toBe(registeredAt)
    context.clock.advance(1)
    const next = (await refresh(token)).json()
    expect(await readLastUse()).toBe(registeredAt + hourMs)
    context.clock.advance(hourMs)
    expectRefused(await refresh('nrt_unknown'), 400, 'invalid_grant')
    expect(await readLastUse()).toBe(registeredAt + hourMs)
    expect((await refresh(next.refresh_token)).statusCode).toBe(200)
    expect(await readLastUse()).toBe(registeredAt + 2 * hourMs)
  })
})
