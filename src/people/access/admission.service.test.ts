import { beforeEach, describe, expect, test } from 'vitest'
import { revokeConnection } from '../../company/connections/revoke-connection.ts'
import { addDemoConnection } from '../../company/connections/add-demo-connection.ts'
import { rotateConnection } from '../../company/connections/rotate-connection.ts'
import {
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  type SeededCompany,
  type SeededConnection,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import type { Source } from '../../company/sources/source.ts'
import { hashSecret, newSecret } from '../../platform/keys/secrets.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'

const { database, context, app } = await startTestService()

let seeded: SeededCompany
let source: Source
let connection: SeededConnection
beforeEach(async () => {
  context.clock.set('2026-01-15T12:00:00Z')
  ;({ source, connection, ...seeded } = await seedScene(context, { source: {}, connection: {} }))
})

let keys = 0
const push = (options: {
  bearer?: string | undefined
  headers?: Record<string, string>
  query?: Record<string, string | string[]>
  remoteAddress?: string
  payload?: string
}) =>
  app.inject({
    method: 'POST',
    url: '/v1/ingest',
    query: options.query ?? {},
    headers: {
      'content-type': 'application/json',
      ...(options.bearer === undefined ? {} : { authorization: `Bearer ${options.bearer}` }),
      ...options.headers,
    },
    payload:
      options.payload ?? JSON.stringify({ idempotency_key: `key-${keys++}`, shape_version: 1, payload: {} }),
    ...(options.remoteAddress === undefined ? {} : { remoteAddress: options.remoteAddress }),
  })

/** 202, or the status and the field of a refusal. */
const getRefusal = async (bearer: string | undefined, query: Record<string, string | string[]>) => {
  const answer = await push({ bearer, query })
  return answer.statusCode === 202 ? 202 : { status: answer.statusCode, field: answer.json().field }
}

const withClient = () => seedConnection(context, { ...seeded, source, credentialKind: 'client' })

const issueToken = async (connectionId: string): Promise<string> => {
  const token = newSecret('nat_')
  const now = context.clock.now()
  await database.pool.query(
    'insert into tokens (token_hash, connection_id, issued_at, expires_at) values ($1, $2, $3, $4)',
    [hashSecret(token), connectionId, new Date(now), new Date(now + 3_600_000)],
  )
  return token
}

describe('authentication', () => {
  const metadata = 'http://localhost:8080/.well-known/oauth-protected-resource/v1/ingest'

  test('without a credential the answer is 401 with a plain challenge, before the rate', async () => {
    for (const headers of [{}, { authorization: 'Basic bnNrOng=' }]) {
      const answer = await push({ headers })
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({ code: 'unauthenticated' })
      expect(answer.headers['www-authenticate']).toBe(`Bearer resource_metadata="${metadata}"`)
      expect(answer.headers['ratelimit-limit']).toBeUndefined()
    }
  })

  test('an invalid credential is 401 with invalid_token in the challenge', async () => {
    const client = await withClient()
    for (const bearer of [
      'nsk_unknown',
      'nk_old',
      'nat_unknown',
      'no prefix',
      'x'.repeat(500),
      client.secret,
      client.clientId,
    ]) {
      const answer = await push({ bearer })
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({ code: 'unauthenticated' })
      expect(answer.headers['www-authenticate']).toBe(
        `Bearer resource_metadata="${metadata}", error="invalid_token"`,
      )
    }
  })

  test('the challenge names the path without its query', async () => {
    const answer = await push({ query: { source_id: source.sourceId } })
    expect(answer.headers['www-authenticate']).toBe(`Bearer resource_metadata="${metadata}"`)
  })

  test('a static credential and a token are both bearers, in any case of the scheme', async () => {
    const token = await issueToken(connection.connectionId)
    for (const authorization of [`Bearer ${connection.credential}`, `bearer ${token}`]) {
      expect((await push({ headers: { authorization } })).statusCode).toBe(202)
    }
  })

  test('a token stops at its end, to the millisecond', async () => {
    const token = await issueToken(connection.connectionId)
    context.clock.advance(3_599_999)
    expect((await push({ bearer: token })).statusCode).toBe(202)
    context.clock.advance(1)
    expect((await push({ bearer: token })).statusCode).toBe(401)
  })

  test('an unsigned connection opens nothing', async () => {
    const unsigned = await seedConnection(context, { ...seeded, source, signed: false })
    expect((await push({ bearer: unsigned.credential })).statusCode).toBe(401)
  })

  test('a refusal does not reveal which credentials exist', async () => {
    const unsigned = await seedConnection(context, { ...seeded, source, signed: false })
    const revoked = await seedConnection(context, { ...seeded, source })
    await revokeConnection(context, 'operator', seeded.company.companyId, revoked.connectionId)
    const bearers = [unsigned.credential, revoked.credential, `nsk_${'a'.repeat(43)}`]
    const answers = await Promise.all(bearers.map((bearer) => push({ bearer })))
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(401)
      expect(JSON.parse(body)).toEqual({
        code: 'unauthenticated',
        message: 'The credential is unknown, revoked, expired or not signed yet.',
        help: expect.any(String),
        request_id: expect.any(String),
      })
    }
  })

  test('a revoked connection stops on the next call, its tokens too', async () => {
    const token = await issueToken(connection.connectionId)
    expect((await push({ bearer: token })).statusCode).toBe(202)
    await revokeConnection(context, 'operator', seeded.company.companyId, connection.connectionId)
    expect((await push({ bearer: token })).statusCode).toBe(401)
    expect((await push({ bearer: connection.credential })).statusCode).toBe(401)
  })

  test('a connection ends a year after its signing', async () => {
    context.clock.set('2027-01-15T11:59:59.999Z')
    expect((await push({ bearer: connection.credential })).statusCode).toBe(202)
    context.clock.set('2027-01-15T12:00:00Z')
    expect((await push({ bearer: connection.credential })).statusCode).toBe(401)
  })

  test('a rotated credential works for its overlap and no longer', async () => {
    const { companyId } = seeded.company
    const rotated = await rotateConnection(context, 'operator', companyId, connection.connectionId)
    context.clock.advance(24 * 3_600_000 - 1)
    expect((await push({ bearer: connection.credential })).statusCode).toBe(202)
    context.clock.advance(1)
    expect((await push({ bearer: connection.credential })).statusCode).toBe(401)
    expect(JSON.stringify(rotated)).toContain('nsk_')
  })
})

describe('the API reference', () => {
  const marked: Record<string, string>[] = [
    { 'x-numera-reference': '1' },
    { origin: 'http://localhost:8080' },
    { referer: 'http://localhost:8080/reference' },
  ]

  test.each(marked)('refuses a production connection before anything is read (%j)', async (headers) => {
    const answer = await push({ bearer: connection.credential, headers, payload: '{ broken' })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 'docs_origin_needs_sandbox' })
    expect(answer.headers['ratelimit-limit']).toBeUndefined()
  })

  test.each(marked)('accepts a sandbox connection (%j)', async (headers) => {
    const { credential } = await seedConnection(context, { ...seeded, source, kind: 'sandbox' })
    const answer = await push({ bearer: credential, headers })
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({ sandbox: true })
  })

  test('an unknown credential is 401 in the reference', async () => {
    expect((await push({ bearer: 'nsk_x', headers: marked[0]! })).statusCode).toBe(401)
  })
})

describe('rate', () => {
  test('a burst of twenty calls passes; the next is 429 with Retry-After', async () => {
    for (let left = 19; left >= 0; left--) {
      const answer = await push({ bearer: connection.credential })
      expect(answer.statusCode).toBe(202)
      expect(answer.headers).toMatchObject({
        'ratelimit-limit': '60',
        'ratelimit-remaining': String(left),
        'ratelimit-reset': String(20 - left),
      })
    }
    const refused = await push({ bearer: connection.credential })
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ code: 'rate_limited' })
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '20',
    })
    context.clock.advance(1_000)
    expect((await push({ bearer: connection.credential })).statusCode).toBe(202)
    expect((await push({ bearer: connection.credential })).statusCode).toBe(429)
  })

  test('concurrent calls are counted in the order they came', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => push({ bearer: connection.credential })),
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual([
      ...Array.from({ length: 20 }, () => 202),
      ...Array.from({ length: 5 }, () => 429),
    ])
    expect(answers.slice(0, 20).map((answer) => Number(answer.headers['ratelimit-remaining']))).toEqual(
      Array.from({ length: 20 }, (_, index) => 19 - index),
    )
  })

  test('tokens and credentials of a connection share its bucket, and another connection has its own', async () => {
    const token = await issueToken(connection.connectionId)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        push({ bearer: index % 2 === 0 ? token : connection.credential }),
      ),
    )
    expect((await push({ bearer: token })).statusCode).toBe(429)
    const other = await seedConnection(context, { ...seeded, source })
    expect((await push({ bearer: other.credential })).statusCode).toBe(202)
  })

  test('a call refused after the rate check consumes a token and has the rate headers', async () => {
    const answer = await push({ bearer: connection.credential, payload: '' })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['ratelimit-remaining']).toBe('19')
  })

  test('the demo connection has a burst of five reads from one network, and no pushes', async () => {
    const { demoCredential } = context.config
    await addDemoConnection(context, seeded.company.companyId, source.sourceId, demoCredential!)
    const read = (remoteAddress: string) =>
      app.inject({
        url: '/v1/samples',
        headers: { authorization: `Bearer ${demoCredential}` },
        remoteAddress,
      })
    for (let left = 4; left >= 0; left--) {
      const answer = await read(`192.0.2.${left + 1}`)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': String(left) })
    }
    const refused = await read('192.0.2.99')
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('6')
    const pushed = await push({ bearer: demoCredential, remoteAddress: '198.51.100.1' })
    expect(pushed.statusCode).toBe(403)
    expect(pushed.json()).toMatchObject({ code: 'permission_denied' })
  })
})

describe('permission', () => {
  test('a connection without the permission gets its name', async () => {
    const { credential } = await seedConnection(context, { ...seeded, source, permissions: ['metrics.read'] })
    const answer = await push({ bearer: credential })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 'permission_denied' })
    expect(answer.headers['www-authenticate']).toMatch(
      /^Bearer .*error="insufficient_scope", scope="sources\.ingest"$/,
    )
    expect(answer.headers['ratelimit-remaining']).toBe('19')
  })

  test('the permission is checked before company and source', async () => {
    const { credential } = await seedConnection(context, { ...seeded, permissions: ['metrics.read'] })
    const answer = await push({ bearer: credential, query: { source_id: 'nonsense', orgnr: 'nonsense' } })
    expect(answer.json()).toMatchObject({ code: 'permission_denied' })
  })
})

describe('company', () => {
  let other: SeededCompany
  let otherSource: Source
  let both: SeededConnection
  beforeEach(async () => {
    other = await seedCompany(context)
    await seedMember(context, other.company.companyId, {
      role: 'developer',
      personalNumber: seeded.owner.personalNumber,
    })
    otherSource = await seedSource(context, other.company.companyId)
    both = await seedConnection(context, { ...seeded, furtherCompanyIds: [other.company.companyId] })
  })
  test('with one company orgnr may be left out, and any of its formats names it', async () => {
    const { orgnr } = seeded.company
    const forms = [orgnr, `${orgnr.slice(0, 6)}-${orgnr.slice(6)}`, `16${orgnr}`]
    for (const form of forms) expect(await getRefusal(connection.credential, { orgnr: form })).toBe(202)
  })

  test('with several companies orgnr is required', async () => {
    const { sourceId: source_id } = source
    expect(await getRefusal(both.credential, { source_id })).toEqual({ status: 400, field: 'orgnr' })
    expect(await getRefusal(both.credential, { source_id, orgnr: seeded.company.orgnr })).toBe(202)
    const { sourceId } = otherSource
    expect(await getRefusal(both.credential, { source_id: sourceId, orgnr: other.company.orgnr })).toBe(202)
  })

  test('a source of another company than the one named is 404', async () => {
    const query = { source_id: otherSource.sourceId, orgnr: seeded.company.orgnr }
    expect(await getRefusal(both.credential, query)).toEqual({ status: 404, field: undefined })
  })

  test('another company is 404, and an invalid number 400', async () => {
    const stranger = await seedCompany(context)
    const { sourceId: source_id } = source
    expect(await getRefusal(both.credential, { source_id, orgnr: stranger.company.orgnr })).toEqual({
      status: 404,
      field: undefined,
    })
    expect(await getRefusal(connection.credential, { orgnr: other.company.orgnr })).toEqual({
      status: 404,
      field: undefined,
    })
    for (const orgnr of ['5560000000', 'x', '']) {
      expect(await getRefusal(connection.credential, { orgnr })).toEqual({ status: 400, field: 'orgnr' })
    }
    expect(await getRefusal(connection.credential, { orgnr: ['1', '2'] })).toEqual({
      status: 400,
      field: 'orgnr',
    })
  })

  test('a further company is lost once the creator no longer manages it', async () => {
    const roleTo = (role: string) =>
      database.pool.query('update memberships set role = $3 where company_id = $1 and member_id = $2', [
        other.company.companyId,
        seeded.owner.memberId,
        role,
      ])
    const query = { source_id: otherSource.sourceId, orgnr: other.company.orgnr }
    await roleTo('reader')
    expect(await getRefusal(both.credential, query)).toEqual({ status: 404, field: undefined })
    expect(await getRefusal(both.credential, { source_id: source.sourceId })).toBe(202)
    await roleTo('owner')
    expect(await getRefusal(both.credential, query)).toBe(202)
  })

  test('a connection outlives its creator’s membership in its own company', async () => {
    await seedMember(context, seeded.company.companyId, { role: 'owner' })
    await database.pool.query('delete from memberships where company_id = $1 and member_id = $2', [
      seeded.company.companyId,
      seeded.owner.memberId,
    ])
    expect(await getRefusal(connection.credential, {})).toBe(202)
  })
})

describe('source', () => {
  test('a bound connection names no source, or its own in any case', async () => {
    expect(await getRefusal(connection.credential, {})).toBe(202)
    expect(await getRefusal(connection.credential, { source_id: source.sourceId.toUpperCase() })).toBe(202)
  })

  test('a bound connection gets 404 for another source of its company, and 400 for an invalid id', async () => {
    const { sourceId } = await seedSource(context, seeded.company.companyId)
    expect(await getRefusal(connection.credential, { source_id: sourceId })).toEqual({
      status: 404,
      field: undefined,
    })
    const query = { source_id: 'nonsense' }
    expect(await getRefusal(connection.credential, query)).toEqual({ status: 400, field: 'source_id' })
  })

  test('an unbound connection must name one of its company', async () => {
    const unbound = await seedConnection(context, seeded)
    expect(await getRefusal(unbound.credential, { source_id: source.sourceId })).toBe(202)
    for (const query of [{}, { source_id: 'nonsense' }, { source_id: '' }, { source_id: ['a', 'b'] }]) {
      expect(await getRefusal(unbound.credential, query)).toEqual({ status: 400, field: 'source_id' })
    }
    const stranger = await seedCompany(context)
    const strange = await seedSource(context, stranger.company.companyId)
    for (const source_id of [strange.sourceId, '00000000-0000-0000-0000-000000000000']) {
      expect(await getRefusal(unbound.credential, { source_id })).toEqual({ status: 404, field: undefined })
    }
  })
})
