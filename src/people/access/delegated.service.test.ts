import { beforeEach, describe, expect, test } from 'vitest'
import { endAppConnection } from '../../console/app-connections/end-app-connection.ts'
import { changeRole } from '../../console/memberships/change-role.ts'
import { removeMember } from '../../console/memberships/remove-member.ts'
import type { Source } from '../../company/sources/source.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCode,
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  type SeededApp,
  type SeededAppConnection,
  type SeededCompany,
  type SeededMember,
} from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })

let bakery: SeededCompany
let cafe: SeededCompany
let shop: Source
let member: SeededMember
let rapport: SeededApp
beforeEach(async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  bakery = await seedCompany(context, { name: 'Bageriet AB' })
  cafe = await seedCompany(context, { name: 'Kaféet AB' })
  shop = await seedSource(context, bakery.company.companyId, {
    metrics: [testMetric({ group_by: ['country'] })],
  })
  await seedSource(context, cafe.company.companyId)
  member = await seedMember(context, bakery.company.companyId, { role: 'reader' })
  await seedMember(context, cafe.company.companyId, { role: 'reader', personalNumber: member.personalNumber })
  rapport = await seedApp(context)
})

/** What the member allows the app: the bakery alone unless given; null is every company. */
const allow = async (
  companies: SeededCompany[] | null = [bakery],
  options: Partial<Parameters<typeof seedAppConnection>[1]> = {},
): Promise<SeededAppConnection & { token: string }> => {
  const connection = await seedAppConnection(context, {
    app: rapport,
    member,
    ...(companies === null ? {} : { companyIds: companies.map(({ company }) => company.companyId) }),
    ...options,
  })
  return { ...connection, token: (await seedAppToken(context, connection)).accessToken }
}

const call = async (
  token: string,
  url: string,
  options: { method?: 'GET' | 'HEAD' | 'POST'; headers?: Record<string, string>; payload?: string } = {},
) => {
  const { method = 'GET', headers = {}, payload } = options
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body === '' ? undefined : answer.json(),
  }
}

/** 200, or the status, code and field of a refusal. */
const outcome = async (token: string, url: string) => {
  const { status, body } = await call(token, url)
  return status === 200 ? 200 : [status, body.code, body.field]
}

const samplesOf = ({ company }: SeededCompany): string => `/v1/samples?orgnr=${company.orgnr}`
const notFound = [404, 'not_found', undefined]
const unauthenticated = [401, 'unauthenticated', undefined]
const leave = ({ company }: SeededCompany): Promise<void> =>
  removeMember(context, 'operator', company.companyId, member.memberId)

describe('It reads what the member allowed, on the chosen companies, and at most what the member can read at the time of the call', () => {
  test('a chosen company is read; one that was not chosen, or that is no company of the member, is 404', async () => {
    const { token } = await allow([bakery])
    const stranger = await seedCompany(context)
    await seedSource(context, stranger.company.companyId)
    // What the same member chose for another app is for that one.
    rapport = await seedApp(context)
    await allow([cafe])
    expect(await outcome(token, samplesOf(bakery))).toBe(200)
    expect(await outcome(token, samplesOf(cafe))).toEqual(notFound)
    expect(await outcome(token, samplesOf(stranger))).toEqual(notFound)
  })

  test('what comes back are the samples of the company that was named', async () => {
    const { token } = await allow([bakery, cafe])
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId: bakery.company.companyId, sourceId: shop.sourceId },
      [{ at: '2026-03-01', amount: '12.50', country: 'SE' }],
    )
    await worker.drain()
    const { body } = await call(token, samplesOf(bakery))
    expect(body.source_id).toBe(shop.sourceId)
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
    expect((await call(token, samplesOf(cafe))).body.samples).toEqual([])
  })

  test('it reads production samples, never test ones', async () => {
    const { token } = await allow()
    const { companyId } = bakery.company
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId, sourceId: shop.sourceId },
      [{ at: '2026-03-01', amount: '1', country: 'SE' }],
      { sandbox: true },
    )
    await worker.drain()
    expect((await call(token, samplesOf(bakery))).body.samples).toEqual([])
    expect(await outcome(token, `/v1/deliveries/${artifactId}`)).toEqual(notFound)
  })

  test('with all companies, it reads those the member joins later too', async () => {
    const { token } = await allow(null)
    const later = await seedCompany(context)
    await seedSource(context, later.company.companyId)
    expect(await outcome(token, samplesOf(later))).toEqual(notFound)
    await seedMember(context, later.company.companyId, {
      role: 'reader',
      personalNumber: member.personalNumber,
    })
    expect(await outcome(token, samplesOf(later))).toBe(200)
  })

  test('a company that was chosen and that the member never joined is 404', async () => {
    const stranger = await seedCompany(context)
    await seedSource(context, stranger.company.companyId)
    const { token } = await allow([bakery, stranger])
    expect(await outcome(token, samplesOf(stranger))).toEqual(notFound)
  })

  test('every role of the member lets an app read', async () => {
    const { token } = await allow()
    for (const role of ['reader', 'developer', 'owner'] as const) {
      await changeRole(context, 'operator', bakery.company.companyId, member.memberId, role)
      expect(await outcome(token, samplesOf(bakery))).toBe(200)
      expect(await outcome(token, '/v1/companies')).toBe(200)
    }
  })

  test.each([
    ['company.read', '/v1/companies', '/v1/samples', 'metrics.read'],
    ['metrics.read', '/v1/samples', '/v1/companies', 'company.read'],
  ] as const)('with %s alone, %s is answered and %s is 403', async (held, opens, refused, missing) => {
    const connection = await allow([bakery], { permissions: [held] })
    expect(await outcome(connection.token, opens)).toBe(200)
    const { status, headers, body } = await call(connection.token, refused)
    expect([status, body.code]).toEqual([403, 'permission_denied'])
    expect(headers['www-authenticate']).toBe(
      `Bearer resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource${refused}", ` +
        `error="insufficient_scope", scope="${missing}"`,
    )
  })

  test('a token of fewer permissions than the connection holds has those alone', async () => {
    const connection = await allow()
    const { accessToken } = await seedAppToken(context, connection, { permissions: ['company.read'] })
    expect(await outcome(accessToken, '/v1/companies')).toBe(200)
    expect(await outcome(accessToken, '/v1/samples')).toEqual([403, 'permission_denied', undefined])
  })

  test('a token of more permissions than the connection holds has no more than it', async () => {
    const connection = await allow([bakery], { permissions: ['company.read'] })
    const { accessToken } = await seedAppToken(context, connection, {
      permissions: ['company.read', 'metrics.read'],
    })
    expect(await outcome(accessToken, '/v1/samples')).toEqual([403, 'permission_denied', undefined])
  })
})

describe('When the member loses a company, the token loses it on the next call', () => {
  test('where it was chosen', async () => {
    const { token } = await allow([bakery, cafe])
    expect(await outcome(token, samplesOf(cafe))).toBe(200)
    await leave(cafe)
    expect(await outcome(token, samplesOf(cafe))).toEqual(notFound)
    expect(await outcome(token, samplesOf(bakery))).toBe(200)
  })

  test('where it is all companies', async () => {
    const { token } = await allow(null)
    expect(await outcome(token, samplesOf(cafe))).toBe(200)
    await leave(cafe)
    expect(await outcome(token, samplesOf(cafe))).toEqual(notFound)
  })

  test('a token that is left without a company lists none, and has nothing to read', async () => {
    for (const companies of [[bakery], null]) {
      const { token } = await allow(companies)
      await leave(bakery)
      if (companies === null) await leave(cafe)
      expect((await call(token, '/v1/companies')).body).toEqual({ companies: [] })
      for (const url of ['/v1/samples', '/v1/sources', samplesOf(bakery)]) {
        expect(await outcome(token, url)).toEqual(notFound)
      }
      rapport = await seedApp(context)
      await seedMember(context, bakery.company.companyId, {
        role: 'reader',
        personalNumber: member.personalNumber,
      })
    }
  })
})

describe('It names the company with orgnr; where the connection covers one it may be left out', () => {
  test('any form of the number names it, with one company or several', async () => {
    const { orgnr } = bakery.company
    for (const companies of [[bakery], [bakery, cafe]]) {
      const { token } = await allow(companies)
      for (const form of [orgnr, `${orgnr.slice(0, 6)}-${orgnr.slice(6)}`, `16${orgnr}`]) {
        expect(await outcome(token, `/v1/samples?orgnr=${form}`)).toBe(200)
      }
      rapport = await seedApp(context)
    }
  })

  test('several and none said is 400 orgnr, on every call about one company', async () => {
    for (const companies of [[bakery, cafe], null]) {
      const { token } = await allow(companies)
      for (const url of [
        '/v1/samples',
        '/v1/sources',
        '/v1/samples/trace',
        `/v1/deliveries/${shop.sourceId}`,
      ]) {
        expect(await outcome(token, url)).toEqual([400, 'invalid_argument', 'orgnr'])
      }
      rapport = await seedApp(context)
    }
  })

  test('losing one of two companies ends the need to name one', async () => {
    for (const companies of [[bakery, cafe], null]) {
      const { token } = await allow(companies)
      await leave(cafe)
      const { status, body } = await call(token, '/v1/samples')
      expect([status, body.source_id]).toEqual([200, shop.sourceId])
      rapport = await seedApp(context)
      await seedMember(context, cafe.company.companyId, {
        role: 'reader',
        personalNumber: member.personalNumber,
      })
    }
  })

  test('what is no organisation number is 400', async () => {
    const { token } = await allow()
    for (const orgnr of ['5560000000', 'x', '', '1&orgnr=2']) {
      expect(await outcome(token, `/v1/samples?orgnr=${orgnr}`)).toEqual([400, 'invalid_argument', 'orgnr'])
    }
  })
})

describe('It names the source with source_id; where the company has one source it may be left out', () => {
  test('the only source of the company is read without a name, and with it', async () => {
    const { token } = await allow([bakery, cafe])
    for (const url of [samplesOf(bakery), `${samplesOf(bakery)}&source_id=${shop.sourceId.toUpperCase()}`]) {
      const { status, body } = await call(token, url)
      expect([status, body.source_id]).toEqual([200, shop.sourceId])
    }
  })

  test('of several sources, and of none, one has to be named', async () => {
    const { token } = await allow([bakery, cafe])
    const second = await seedSource(context, bakery.company.companyId, { name: 'Second' })
    const unnamed = [400, 'invalid_argument', 'source_id']
    expect(await outcome(token, samplesOf(bakery))).toEqual(unnamed)
    const { body } = await call(token, `${samplesOf(bakery)}&source_id=${second.sourceId}`)
    expect(body.source_id).toBe(second.sourceId)

    const empty = await seedCompany(context)
    await seedMember(context, empty.company.companyId, {
      role: 'reader',
      personalNumber: member.personalNumber,
    })
    rapport = await seedApp(context)
    const every = await allow(null)
    expect(await outcome(every.token, samplesOf(empty))).toEqual(unnamed)
  })

  test('what is not a UUID is 400; a source of another company, or of none, is 404', async () => {
    const { token } = await allow([bakery, cafe])
    expect(await outcome(token, `${samplesOf(bakery)}&source_id=nonsense`)).toEqual([
      400,
      'invalid_argument',
      'source_id',
    ])
    expect(await outcome(token, `${samplesOf(cafe)}&source_id=${shop.sourceId}`)).toEqual(notFound)
    expect(
      await outcome(token, `${samplesOf(bakery)}&source_id=00000000-0000-0000-0000-000000000000`),
    ).toEqual(notFound)
  })
})

describe('It cannot push, and a call that changes anything is refused with 403 permission_denied', () => {
  test('a push is refused for lack of sources.ingest, and nothing is stored', async () => {
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
      bakery.company.companyId,
    ])
    expect(rows).toEqual([])
  })

  test('even a consent that names sources.ingest does not let an app push', async () => {
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

  test('every address that accepts a bearer and changes something refuses an app', async () => {
    const { token } = await allow()
    const addresses = app.routes.entries.filter(
      ({ contract, method }) => contract?.guard === 'bearer' && method !== 'GET' && method !== 'HEAD',
    )
    expect(addresses.length).toBeGreaterThan(0)
    for (const { method, pattern } of addresses) {
      const { status, body } = await call(token, pattern, { method: method as 'POST', payload: '{}' })
      expect([pattern, status, body.code]).toEqual([pattern, 403, 'permission_denied'])
    }
  })
})

describe('A call that needs an electronic-identity sign-in is refused', () => {
  test('no address of the pages accepts an app', async () => {
    const { token, connectionId } = await allow(null)
    const addresses = app.routes.entries.filter(({ contract }) => contract?.guard === 'session')
    expect(addresses.length).toBeGreaterThan(0)
    for (const { method, pattern } of addresses) {
      const url = pattern
        .replace(':connection_id', connectionId)
        .replaceAll(/:[a-z_]+/g, bakery.company.companyId)
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

describe('Every token is looked up on every call; a revoked connection or token stops immediately', () => {
  test('a connection that the member ends', async () => {
    const { token, connectionId } = await allow()
    expect(await outcome(token, '/v1/samples')).toBe(200)
    await endAppConnection(context, member, connectionId)
    const { status, headers, body } = await call(token, '/v1/samples')
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(headers['www-authenticate']).toBe(
      'Bearer resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource/v1/samples", ' +
        'error="invalid_token"',
    )
    expect(headers['ratelimit-limit']).toBeUndefined()
  })

  test('a token that is revoked, with invalid_token in the challenge; another token remains valid', async () => {
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
    expect(await outcome(other.accessToken, '/v1/companies')).toBe(200)
  })

  test('a token after its hour, to the millisecond', async () => {
    const { token } = await allow()
    context.clock.advance(3_599_999)
    expect(await outcome(token, '/v1/samples')).toBe(200)
    context.clock.advance(1)
    expect(await outcome(token, '/v1/samples')).toEqual(unauthenticated)
  })

  test('a connection after its 90 days, regardless of its token', async () => {
    const { token } = await allow()
    await database.pool.query("update app_tokens set expires_at = '2100-01-01T00:00:00Z'")
    context.clock.advance(90 * 24 * 3_600_000 - 1)
    expect(await outcome(token, '/v1/samples')).toBe(200)
    context.clock.advance(1)
    expect(await outcome(token, '/v1/samples')).toEqual(unauthenticated)
  })

  test('a refresh token and a code open nothing', async () => {
    const connection = await allow()
    const { refreshToken } = await seedAppToken(context, connection)
    const { code } = await seedCode(context, connection)
    for (const token of [refreshToken, code, connection.app.clientId]) {
      expect(await outcome(token, '/v1/samples')).toEqual(unauthenticated)
    }
  })
})

test('each of the calls that wait together, from any callers, gets its own answer', async () => {
  const source = await seedConnection(context, { company: cafe.company, owner: cafe.owner })
  const chosen = await allow([bakery])
  rapport = await seedApp(context)
  const every = await allow(null)
  // The second time the tokens are known to be apps'.
  for (let times = 0; times < 2; times++) {
    const answers = await Promise.all([
      call('nat_unknown', '/v1/companies'),
      call(chosen.token, '/v1/companies'),
      call(source.credential!, samplesOf(cafe)),
      call(every.token, samplesOf(cafe)),
      call(chosen.token, samplesOf(cafe)),
      call('nsk_unknown', '/v1/companies'),
      call(every.token, '/v1/companies'),
    ])
    expect(answers.map(({ status, body }) => body.companies?.length ?? body.field ?? status)).toEqual([
      401,
      1,
      'source_id',
      200,
      404,
      401,
      2,
    ])
  }
})

describe('the API reference', () => {
  test.each([{ 'x-numera-reference': '1' }, { origin: 'http://localhost:8080' }])(
    'refuses an app, as it refuses a production connection, and takes no token of its rate (%j)',
    async (headers) => {
      const { token } = await allow()
      const { status, body, headers: answered } = await call(token, '/v1/samples', { headers })
      expect([status, body.code]).toEqual([403, 'docs_origin_needs_sandbox'])
      expect(answered['ratelimit-limit']).toBeUndefined()
    },
  )
})

describe('rate', () => {
  test('a connection has 60 calls a minute, burst 20, over all its tokens; another has its own', async () => {
    const connection = await allow([bakery])
    const { accessToken } = await seedAppToken(context, connection)
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        call(index % 2 === 0 ? connection.token : accessToken, '/v1/samples'),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 20 }, () => 200),
      ...Array.from({ length: 5 }, () => 429),
    ])
    expect(answers[0]!.headers).toMatchObject({ 'ratelimit-limit': '60' })
    expect(answers[24]!.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-remaining': '0' })
    expect(answers[24]!.body.code).toBe('rate_limited')

    rapport = await seedApp(context)
    expect(await outcome((await allow()).token, '/v1/samples')).toBe(200)
    context.clock.advance(1_000)
    expect(await outcome(connection.token, '/v1/samples')).toBe(200)
  })
})

describe('the read calls', () => {
  test('any origin may read the answers to an app, refusals too', async () => {
    const { token } = await allow([bakery, cafe])
    for (const [bearer, url, status] of [
      [token, samplesOf(bakery), 200],
      [token, '/v1/samples', 400],
      ['nat_unknown', '/v1/samples', 401],
    ] as const) {
      const answer = await call(bearer, url, { headers: { origin: 'https://app.example.com' } })
      expect(answer.status).toBe(status)
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' })
      expect(answer.headers['access-control-expose-headers']).toContain('WWW-Authenticate')
    }
  })

  test('the companies are those that it covers now', async () => {
    const chosen = await allow([bakery, cafe])
    const namesOf = async (token: string): Promise<string[]> =>
      (await call(token, '/v1/companies')).body.companies.map(({ name }: { name: string }) => name).toSorted()
    expect(await namesOf(chosen.token)).toEqual(['Bageriet AB', 'Kaféet AB'])
    const { body } = await call(chosen.token, '/v1/companies')
    const { orgnr } = bakery.company
    expect(body.companies).toContainEqual({
      orgnr: `${orgnr.slice(0, 6)}-${orgnr.slice(6)}`,
      name: 'Bageriet AB',
      time_zone: 'Europe/Stockholm',
    })
    rapport = await seedApp(context)
    const every = await allow(null)
    await leave(cafe)
    for (const { token } of [chosen, every]) expect(await namesOf(token)).toEqual(['Bageriet AB'])
  })

  test('the sources are all of the company', async () => {
    const { token } = await allow()
    await seedSource(context, bakery.company.companyId, { name: 'Second' })
    const { body } = await call(token, '/v1/sources')
    expect(body.sources.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Second', 'Shop'])
  })

  test('a delivery and the trace of a sample are shown', async () => {
    const { token } = await allow()
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId: bakery.company.companyId, sourceId: shop.sourceId },
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

  test('a delivery of a company that it does not cover is not there', async () => {
    const { token } = await allow([cafe])
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId: bakery.company.companyId, sourceId: shop.sourceId },
      [{ at: '2026-03-01', amount: '3', country: 'SE' }],
    )
    expect(await outcome(token, `/v1/deliveries/${artifactId}`)).toEqual(notFound)
  })
})
