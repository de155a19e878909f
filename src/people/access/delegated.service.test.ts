import { toolsPath } from '../../platform/http/errors/challenge.ts'
import { describe, expect, test } from 'vitest'
import { endAppConnection } from '../../console/app-connections/end-app-connection.ts'
import { changeRole } from '../../console/memberships/change-role.ts'
import {
  seedApp,
  seedAppToken,
  seedCode,
  seedCompany,
  seedMember,
  seedSource,
} from '../../../testing/in-process/seed.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import {
  startDelegatedScene,
  toSamplesUrl,
  notFound,
  unauthenticated,
} from '../../../testing/in-process/scenes/delegated-scene.ts'

const scene = await startDelegatedScene()
const { database, context, app, worker, allow, call, getOutcome, leave } = scene

describe('an app reads what the member allowed and can read themselves', () => {
  test('a chosen company is read, and any other is 404', async () => {
    const { token } = await allow([scene.bakery])
    const stranger = await seedCompany(context)
    await seedSource(context, stranger.company.companyId)
    // What the same member chose for another app is for that one.
    scene.rapport = await seedApp(context)
    await allow([scene.cafe])
    expect(await getOutcome(token, toSamplesUrl(scene.bakery))).toBe(200)
    expect(await getOutcome(token, toSamplesUrl(scene.cafe))).toEqual(notFound)
    expect(await getOutcome(token, toSamplesUrl(stranger))).toEqual(notFound)
  })

  test('the samples are those of the named company', async () => {
    const { token } = await allow([scene.bakery, scene.cafe])
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId: scene.bakery.company.companyId, sourceId: scene.shop.sourceId },
      [{ at: '2026-03-01', amount: '12.50', country: 'SE' }],
    )
    await worker.drain()
    const { body } = await call(token, toSamplesUrl(scene.bakery))
    expect(body.source_id).toBe(scene.shop.sourceId)
    expect(body.samples).toEqual([
      {
        metric: 'revenue',
        period_start: '2026-03-01',
        value: '12.5',
        labels: { country: 'SE' },
        sandbox: false,
        artifact_id: artifactId,
      },
    ])
    expect((await call(token, toSamplesUrl(scene.cafe))).body.samples).toEqual([])
  })

  test('production samples are read, and test ones never', async () => {
    const { token } = await allow()
    const { companyId } = scene.bakery.company
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId, sourceId: scene.shop.sourceId },
      [{ at: '2026-03-01', amount: '1', country: 'SE' }],
      { sandbox: true },
    )
    await worker.drain()
    expect((await call(token, toSamplesUrl(scene.bakery))).body.samples).toEqual([])
    expect(await getOutcome(token, `/v1/deliveries/${artifactId}`)).toEqual(notFound)
  })

  test('consent for every company includes those the member joins later', async () => {
    const { token } = await allow(null)
    const later = await seedCompany(context)
    await seedSource(context, later.company.companyId)
    expect(await getOutcome(token, toSamplesUrl(later))).toEqual(notFound)
    await seedMember(context, later.company.companyId, {
      role: 'reader',
      personalNumber: scene.member.personalNumber,
    })
    expect(await getOutcome(token, toSamplesUrl(later))).toBe(200)
  })

  test('a chosen company that the member never joined is 404', async () => {
    const stranger = await seedCompany(context)
    await seedSource(context, stranger.company.companyId)
    const { token } = await allow([scene.bakery, stranger])
    expect(await getOutcome(token, toSamplesUrl(stranger))).toEqual(notFound)
  })

  test('an app may read for a member of any role', async () => {
    const { token } = await allow()
    for (const role of ['reader', 'developer', 'owner'] as const) {
      await changeRole(context, 'operator', scene.bakery.company.companyId, scene.member.memberId, role)
      expect(await getOutcome(token, toSamplesUrl(scene.bakery))).toBe(200)
      expect(await getOutcome(token, '/v1/companies')).toBe(200)
    }
  })

  test.each([
    ['company.read', '/v1/companies', '/v1/samples', 'metrics.read'],
    ['metrics.read', '/v1/samples', '/v1/companies', 'company.read'],
  ] as const)('with %s only, %s is answered and %s is 403', async (allowed, opens, refused, missing) => {
    const connection = await allow([scene.bakery], { permissions: [allowed] })
    expect(await getOutcome(connection.token, opens)).toBe(200)
    const { status, headers, body } = await call(connection.token, refused)
    expect([status, body.code]).toEqual([403, 'permission_denied'])
    expect(headers['www-authenticate']).toBe(
      `Bearer resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource${refused}", ` +
        `error="insufficient_scope", scope="${missing}"`,
    )
  })

  test('a token has no more permissions than it was issued with', async () => {
    const connection = await allow()
    const { accessToken } = await seedAppToken(context, connection, { permissions: ['company.read'] })
    expect(await getOutcome(accessToken, '/v1/companies')).toBe(200)
    expect(await getOutcome(accessToken, '/v1/samples')).toEqual([403, 'permission_denied', undefined])
  })

  test('a token has no more permissions than its connection', async () => {
    const connection = await allow([scene.bakery], { permissions: ['company.read'] })
    const { accessToken } = await seedAppToken(context, connection, {
      permissions: ['company.read', 'metrics.read'],
    })
    expect(await getOutcome(accessToken, '/v1/samples')).toEqual([403, 'permission_denied', undefined])
  })

  test('the list of companies has those that the connection covers now', async () => {
    const chosen = await allow([scene.bakery, scene.cafe])
    const listNames = async (token: string): Promise<string[]> =>
      (await call(token, '/v1/companies')).body.companies.map(({ name }: { name: string }) => name).toSorted()
    expect(await listNames(chosen.token)).toEqual(['Bageriet AB', 'Kaféet AB'])
    const { body } = await call(chosen.token, '/v1/companies')
    const { orgnr } = scene.bakery.company
    expect(body.companies).toContainEqual({
      orgnr: `${orgnr.slice(0, 6)}-${orgnr.slice(6)}`,
      name: 'Bageriet AB',
      time_zone: 'Europe/Stockholm',
    })
    scene.rapport = await seedApp(context)
    const every = await allow(null)
    await leave(scene.cafe)
    for (const { token } of [chosen, every]) expect(await listNames(token)).toEqual(['Bageriet AB'])
  })

  test('a delivery and the trace of a sample can be read', async () => {
    const { token } = await allow()
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId: scene.bakery.company.companyId, sourceId: scene.shop.sourceId },
      [{ at: '2026-03-01', amount: '3', country: 'SE' }],
    )
    await worker.drain()
    const delivery = await call(token, `/v1/deliveries/${artifactId}`)
    expect([delivery.status, delivery.body.state]).toEqual([200, 'parsed'])
    const trace = await call(
      token,
      '/v1/samples/trace?metric=revenue&period_start=2026-03-01&label.country=SE',
    )
    expect([trace.status, trace.body.value]).toEqual([200, '3'])
  })

  test('a delivery of a company that is not covered is not found', async () => {
    const { token } = await allow([scene.cafe])
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId: scene.bakery.company.companyId, sourceId: scene.shop.sourceId },
      [{ at: '2026-03-01', amount: '3', country: 'SE' }],
    )
    expect(await getOutcome(token, `/v1/deliveries/${artifactId}`)).toEqual(notFound)
  })
})

describe('a company that the member loses is lost on the next call', () => {
  test('if it was chosen', async () => {
    const { token } = await allow([scene.bakery, scene.cafe])
    expect(await getOutcome(token, toSamplesUrl(scene.cafe))).toBe(200)
    await leave(scene.cafe)
    expect(await getOutcome(token, toSamplesUrl(scene.cafe))).toEqual(notFound)
    expect(await getOutcome(token, toSamplesUrl(scene.bakery))).toBe(200)
  })

  test('if every company was allowed', async () => {
    const { token } = await allow(null)
    expect(await getOutcome(token, toSamplesUrl(scene.cafe))).toBe(200)
    await leave(scene.cafe)
    expect(await getOutcome(token, toSamplesUrl(scene.cafe))).toEqual(notFound)
  })

  test('a token without a company lists none, and reads nothing', async () => {
    for (const companies of [[scene.bakery], null]) {
      const { token } = await allow(companies)
      await leave(scene.bakery)
      if (companies === null) await leave(scene.cafe)
      expect((await call(token, '/v1/companies')).body).toEqual({ companies: [] })
      for (const url of ['/v1/samples', '/v1/sources', toSamplesUrl(scene.bakery)]) {
        expect(await getOutcome(token, url)).toEqual(notFound)
      }
      scene.rapport = await seedApp(context)
      await seedMember(context, scene.bakery.company.companyId, {
        role: 'reader',
        personalNumber: scene.member.personalNumber,
      })
    }
  })
})

describe('an app changes nothing', () => {
  test('a push is refused without sources.ingest, and nothing is stored', async () => {
    const { token } = await allow()
    const { status, headers, body } = await call(token, '/v1/ingest', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ idempotency_key: 'app', shape_version: 1, payload: {} }),
    })
    expect([status, body.code]).toEqual([403, 'permission_denied'])
    expect(headers['www-authenticate']).toMatch(
      /^Bearer .*error="insufficient_scope", scope="sources\.ingest"$/,
    )
    const { rows } = await database.pool.query('select from deliveries where company_id = $1', [
      scene.bakery.company.companyId,
    ])
    expect(rows).toEqual([])
  })

  test('not even a consent that names sources.ingest lets an app push', async () => {
    const connection = await allow()
    const permissions = '{company.read,metrics.read,sources.ingest}'
    await database.pool.query('update app_connections set permissions = $1', [permissions])
    await database.pool.query('update app_tokens set permissions = $1', [permissions])
    const { status, body } = await call(connection.token, '/v1/ingest', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ idempotency_key: 'app', shape_version: 1, payload: {} }),
    })
    expect([status, body.code]).toEqual([403, 'permission_denied'])
  })

  // The tools of assistants are called by POST, and only read.
  test('every address that accepts a bearer and changes something refuses an app', async () => {
    const { token } = await allow()
    const addresses = app.routes.entries.filter(
      ({ contract, method, pattern }) =>
        contract?.guard === 'bearer' && method !== 'GET' && method !== 'HEAD' && pattern !== toolsPath,
    )
    expect(addresses.length).toBeGreaterThan(0)
    for (const { method, pattern } of addresses) {
      const { status, body } = await call(token, pattern, { method: method as 'POST', payload: '{}' })
      expect([pattern, status, body.code]).toEqual([pattern, 403, 'permission_denied'])
    }
  })

  test('no address of the pages accepts an app', async () => {
    const { token, connectionId } = await allow(null)
    const addresses = app.routes.entries.filter(({ contract }) => contract?.guard === 'session')
    expect(addresses.length).toBeGreaterThan(0)
    for (const { method, pattern } of addresses) {
      const url = pattern
        .replace(':connection_id', connectionId)
        .replaceAll(/:[a-z_]+/g, scene.bakery.company.companyId)
      const { status } = await call(token, url, {
        method: method as 'POST',
        headers: {
          origin: 'http://localhost:8080',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          cookie: `numera_session=${token}`,
        },
        ...(['GET', 'HEAD'].includes(method) ? {} : { payload: '{}' }),
      })
      expect([method, pattern, status]).toEqual([method, pattern, 401])
    }
  })
})

describe('a token is looked up on every call', () => {
  test('a connection that the member ends opens nothing', async () => {
    const { token, connectionId } = await allow()
    expect(await getOutcome(token, '/v1/samples')).toBe(200)
    await endAppConnection(context, scene.member, connectionId)
    const { status, headers, body } = await call(token, '/v1/samples')
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(headers['www-authenticate']).toBe(
      'Bearer resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource/v1/samples", ' +
        'error="invalid_token"',
    )
    expect(headers['ratelimit-limit']).toBeUndefined()
  })

  test('a revoked token opens nothing, and another one remains valid', async () => {
    const connection = await allow()
    const other = await seedAppToken(context, connection)
    const revoke = 'update app_tokens set revoked_at = $1 where connection_id = $2 and token_family_id <> $3'
    await database.pool.query(revoke, [
      new Date(context.clock.now()),
      connection.connectionId,
      other.tokenFamilyId,
    ])
    const { status, headers } = await call(connection.token, '/v1/companies')
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toContain('error="invalid_token"')
    expect(await getOutcome(other.accessToken, '/v1/companies')).toBe(200)
  })

  test('a token ends after an hour, to the millisecond', async () => {
    const { token } = await allow()
    context.clock.advance(3_599_999)
    expect(await getOutcome(token, '/v1/samples')).toBe(200)
    context.clock.advance(1)
    expect(await getOutcome(token, '/v1/samples')).toEqual(unauthenticated)
  })

  test('a connection ends after 90 days, and its tokens with it', async () => {
    const { token } = await allow()
    await database.pool.query("update app_tokens set expires_at = '2100-01-01T00:00:00Z'")
    context.clock.advance(90 * 24 * 3_600_000 - 1)
    expect(await getOutcome(token, '/v1/samples')).toBe(200)
    context.clock.advance(1)
    expect(await getOutcome(token, '/v1/samples')).toEqual(unauthenticated)
  })

  test('a refresh token and a code open nothing', async () => {
    const connection = await allow()
    const { refreshToken } = await seedAppToken(context, connection)
    const { code } = await seedCode(context, connection)
    for (const token of [refreshToken, code, connection.app.clientId]) {
      expect(await getOutcome(token, '/v1/samples')).toEqual(unauthenticated)
    }
  })
})
