import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { signatureRate } from '../../people/identity/signing.ts'
import { unseal } from '../../platform/keys/seal.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  approveDemoOrder,
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import type { Source } from '../sources/source.ts'
import { seedScene } from '../../../testing/in-process/scene.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const begin = '2026-01-15T12:00:00Z'

const { database, context, app } = await startTestService()
let seeded: SeededCompany
let source: Source
let client: ConsoleClient
let connections: string
beforeAll(async () => {
  // Opens connections beforehand, so that concurrent calls are concurrent.
  await Promise.all(Array.from({ length: 8 }, () => database.pool.query('select pg_sleep(0.05)')))
})
beforeEach(async () => {
  context.clock.set(begin)
  // Tests go back in time; to a bucket, that is a long wait.
  await database.pool.query('delete from rate_buckets')
  ;({ source, ...seeded } = await seedScene(context, { source: {} }))
  client = await signInConsole(app, context, seeded.owner)
  connections = `/console/companies/${seeded.company.companyId}/connections`
})

const newConnection = (changes: object = {}) => ({
  name: 'Connector',
  source_id: source.sourceId,
  permissions: ['metrics.read', 'sources.ingest'],
  kind: 'production',
  credential_kind: 'client',
  ...changes,
})

const make = async (changes: object = {}) => (await client.post(connections, newConnection(changes))).body

const startSigning = async (connectionId: string) =>
  (await client.post(`${connections}/${connectionId}/sign`)).body

const ownerNumber = () => ({ personalNumber: seeded.owner.personalNumber })

const credentialsOf = async (connectionId: string) =>
  (
    await database.pool.query<{ credential_hash: Buffer; kind: string; ends_at: Date | null }>(
      'select credential_hash, kind, ends_at from credentials where connection_id = $1',
      [connectionId],
    )
  ).rows

/** Whether a secret opens its connection now; only rotations are looked at. */
const works = async (secret: string) => {
  const { rows } = await database.pool.query(
    'select 1 from credentials where credential_hash = $1 and (ends_at is null or ends_at > $2)',
    [hashSecret(secret), new Date(context.clock.now())],
  )
  return rows.length === 1
}

test('a static credential is returned at creation, and only its hash is stored', async () => {
  const { connection, credential } = await make({ credential_kind: 'static' })
  expect(credential).toMatch(/^nsk_[0-9A-Za-z]{43}$/)
  expect(connection).toMatchObject({ state: 'unsigned', client_id: null, signed_at: null, expires_at: null })
  expect(await credentialsOf(connection.connection_id)).toEqual([
    { credential_hash: hashSecret(credential), kind: 'static', ends_at: null },
  ])
  expect(JSON.stringify((await client.get(connections)).body)).not.toContain(credential)
})

test('with client credentials the making gives the id, and there is no secret until the signing', async () => {
  const made = await make()
  expect(made.connection.client_id).toMatch(uuidPattern)
  expect(made).not.toHaveProperty('credential')
  expect(await credentialsOf(made.connection.connection_id)).toEqual([])
})

test('a member begins signatures up to a bound, and another one is free to', async () => {
  const { connection } = await make()
  const path = `${connections}/${connection.connection_id}/sign`
  const take = async (count: number): Promise<number[]> => {
    const statuses: number[] = []
    while (statuses.length < count) statuses.push((await client.post(path)).status)
    return statuses
  }
  expect(new Set(await take(signatureRate.burst))).toEqual(new Set([200]))
  const orders = 'select from identity_orders'
  const begun = (await database.pool.query(orders)).rowCount
  const refused = await client.post(path)
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    429,
    'rate_limited',
    '2',
  ])
  expect((await database.pool.query(orders)).rowCount).toBe(begun)
  const other = await seedScene(context, { source: {} })
  source = other.source
  const otherClient = await signInConsole(app, context, other.owner)
  const others = `/console/companies/${other.company.companyId}/connections`
  const made = (await otherClient.post(others, newConnection())).body
  expect((await otherClient.post(`${others}/${made.connection.connection_id}/sign`)).status).toBe(200)
  context.clock.advance(60_000)
  expect((await take(signatureRate.perMinute + 1)).filter((status) => status === 200)).toHaveLength(
    signatureRate.perMinute,
  )
})

test('the maker signs a text that names everything, and the year runs from the signing', async () => {
  const { connection } = await make({ kind: 'sandbox' })
  const order = await startSigning(connection.connection_id)
  const orgnr = `${seeded.company.orgnr.slice(0, 6)}-${seeded.company.orgnr.slice(6)}`
  for (const part of [
    `Company: Bageriet AB (${orgnr})`,
    'Source: Shop',
    'sources.ingest',
    'metrics.read',
    'Type: sandbox',
    'It ends on 15 January 2027.',
  ]) {
    expect(order.visible_text).toContain(part)
  }
  const collect = () =>
    client.post(`${connections}/${connection.connection_id}/sign/${order.order_id}/collect`)
  expect((await collect()).body).toMatchObject({ state: 'pending', visible_text: order.visible_text })
  context.clock.advance(60_000)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const { body } = await collect()
  expect(body).toMatchObject({
    state: 'complete',
    secret: expect.stringMatching(/^ncs_[0-9A-Za-z]{43}$/),
    connection: {
      state: 'signed',
      signed_at: '2026-01-15T12:01:00.000Z',
      expires_at: '2027-01-15T12:01:00.000Z',
      created_by: { name: 'Olivia Ägare', is_member: true },
    },
  })
  expect(await works(body.secret)).toBe(true)
  expect((await collect()).body).toEqual({ state: 'completed_before' })

  const { body: kept } = await client.get('/console/signatures')
  expect(kept.signatures).toMatchObject([
    {
      signature_id: body.connection.signature_id,
      subject: `connection:${connection.connection_id}`,
      visible_text: order.visible_text,
      provider: 'demo',
      signed_at: '2026-01-15T12:01:00.000Z',
    },
  ])
  expect(JSON.parse(kept.signatures[0].record)).toMatchObject({
    connection_id: connection.connection_id,
    permissions: ['sources.ingest', 'metrics.read'],
    end_date: '2027-01-15',
  })
  expect(kept.signatures[0].record_sha256).toBe(hashSecret(kept.signatures[0].record).toString('hex'))
})

test('a signature cancelled between the answer and its storing is over, not completed', async () => {
  const { connection } = await make()
  const order = await startSigning(connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const path = `${connections}/${connection.connection_id}/sign/${order.order_id}`
  const { signing } = context.identity
  const collect = signing!.collect.bind(signing)
  vi.spyOn(signing!, 'collect').mockImplementationOnce(async (reference) => {
    const answer = await collect(reference)
    expect((await client.post(`${path}/cancel`)).status).toBe(204)
    return answer
  })
  expect((await client.post(`${path}/collect`)).body).toEqual({ state: 'failed', reason: 'ended' })
  expect((await client.post(`${path}/collect`)).body).toEqual({ state: 'failed', reason: 'ended' })
  const { body } = await client.get(`${connections}/${connection.connection_id}`)
  expect(body).toMatchObject({ state: 'unsigned', signed_at: null })
})

test('the evidence of a signature is kept sealed, and opens in its place', async () => {
  const { connection } = await seedConnection(context, { ...seeded, source })
  const { rows } = await database.pool.query<{ evidence_sealed: Buffer }>(
    'select evidence_sealed from signatures where signature_id = $1',
    [connection.signatureId],
  )
  const sealed = rows[0]!.evidence_sealed
  expect(sealed.includes(seeded.owner.personalNumber)).toBe(false)
  const place = `signature:${connection.signatureId}`
  const evidence = JSON.parse(unseal(context.keys.master, sealed, place).toString())
  expect(evidence).toMatchObject({ demo: true, person: { personalNumber: seeded.owner.personalNumber } })
})

test('another person’s personal number does not sign', async () => {
  const { connection } = await make()
  const order = await startSigning(connection.connection_id)
  const other = await seedMember(context, seeded.company.companyId, { role: 'owner' })
  await approveDemoOrder(context, order.presentation.open_url, other)
  const collect = () =>
    client.post(`${connections}/${connection.connection_id}/sign/${order.order_id}/collect`)
  expect((await collect()).body).toEqual({ state: 'failed', reason: 'other_person' })
  expect((await collect()).body).toMatchObject({ state: 'failed' })
  expect((await client.get(`${connections}/${connection.connection_id}`)).body.state).toBe('unsigned')
  expect(await credentialsOf(connection.connection_id)).toEqual([])

  // Another owner may neither begin it nor collect what the maker began.
  const otherClient = await signInConsole(app, context, other)
  expect((await otherClient.post(`${connections}/${connection.connection_id}/sign`)).status).toBe(403)
  const second = await startSigning(connection.connection_id)
  await approveDemoOrder(context, second.presentation.open_url, seeded.owner)
  const path = `${connections}/${connection.connection_id}/sign/${second.order_id}/collect`
  expect((await otherClient.post(path)).status).toBe(404)
  expect((await client.post(path)).body.state).toBe('complete')
})

test('an order for one connection does not sign another', async () => {
  const [one, two] = [await make(), await make()]
  const order = await startSigning(one.connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const wrong = `${connections}/${two.connection.connection_id}/sign/${order.order_id}/collect`
  expect((await client.post(wrong)).status).toBe(404)
})

test('of concurrent collections one gets the only secret', async () => {
  const { connection } = await make()
  const order = await startSigning(connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const path = `${connections}/${connection.connection_id}/sign/${order.order_id}/collect`
  const answers = await Promise.all([1, 2, 3, 4].map(() => client.post(path)))
  expect(answers.map((answer) => answer.body.state).toSorted()).toEqual([
    'complete',
    'completed_before',
    'completed_before',
    'completed_before',
  ])
  expect(answers.filter((answer) => answer.body.secret !== undefined)).toHaveLength(1)
  expect(await credentialsOf(connection.connection_id)).toHaveLength(1)
})

test('of two orders for one connection, one signs it', async () => {
  const { connection } = await make()
  const orders = [await startSigning(connection.connection_id), await startSigning(connection.connection_id)]
  for (const order of orders) await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const answers = await Promise.all(
    orders.map((order) =>
      client.post(`${connections}/${connection.connection_id}/sign/${order.order_id}/collect`),
    ),
  )
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  expect(await credentialsOf(connection.connection_id)).toHaveLength(1)
  expect(await client.post(`${connections}/${connection.connection_id}/sign`)).toMatchObject({ status: 409 })
})

test('a revoked connection is not signed any more', async () => {
  const { connection } = await make()
  const path = `${connections}/${connection.connection_id}`
  const order = await startSigning(connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  expect((await client.post(`${path}/revoke`)).body.state).toBe('revoked')
  expect((await client.post(`${path}/sign/${order.order_id}/collect`)).status).toBe(409)
  expect(await credentialsOf(connection.connection_id)).toEqual([])
})

test('after a rotation both secrets work for a day, then the new one', async () => {
  const { connectionId, secret } = await seedConnection(context, {
    ...seeded,
    source,
    credentialKind: 'client',
  })
  const { body } = await client.post(`${connections}/${connectionId}/rotate`)
  expect(body.credential).toMatch(/^ncs_/)
  expect(body.connection).toMatchObject({
    previous_credential_ends_at: '2026-01-16T12:00:00.000Z',
    expires_at: '2027-01-15T12:00:00.000Z',
  })
  const both = async () => [await works(secret!), await works(body.credential)]
  expect(await both()).toEqual([true, true])
  context.clock.advance(dayMs - 1)
  expect(await both()).toEqual([true, true])
  context.clock.advance(1)
  expect(await both()).toEqual([false, true])
})

test('a second rotation ends the oldest immediately', async () => {
  const { connectionId, credential: first } = await seedConnection(context, { ...seeded, source })
  const rotate = async (body: object = {}) =>
    (await client.post(`${connections}/${connectionId}/rotate`, body)).body.credential as string
  const second = await rotate()
  context.clock.advance(hourMs)
  client = await signInConsole(app, context, seeded.owner)
  const third = await rotate()
  expect(third).toMatch(/^nsk_/)
  expect([await works(first!), await works(second), await works(third)]).toEqual([false, true, true])
  // An end that has passed does not move.
  context.clock.advance(2 * dayMs)
  client = await signInConsole(app, context, seeded.owner)
  await rotate({ overlap_hours: 168 })
  expect([await works(second), await works(third)]).toEqual([false, true])
})

test('the overlap is 0 to 7 days', async () => {
  const { connectionId, credential } = await seedConnection(context, { ...seeded, source })
  const path = `${connections}/${connectionId}/rotate`
  for (const overlap_hours of [-1, 169, 1.5]) {
    expect(await client.post(path, { overlap_hours })).toMatchObject({
      status: 400,
      body: { field: 'overlap_hours' },
    })
  }
  expect((await client.post(path, { overlap_hours: 0 })).status).toBe(200)
  expect(await works(credential!)).toBe(false)
})

test('the thirtieth rotation writes as many rows as the second, and a connection has two credentials at most', async () => {
  const { connectionId } = await seedConnection(context, { ...seeded, source })
  const rowVersions = async (): Promise<string[]> => {
    const text = 'select xmin::text || ctid::text as version from credentials where connection_id = $1'
    const { rows } = await database.pool.query<{ version: string }>(text, [connectionId])
    return rows.map(({ version }) => version)
  }
  const written: number[] = []
  while (written.length < 30) {
    const before = new Set(await rowVersions())
    const path = `${connections}/${connectionId}/rotate`
    expect((await client.post(path, { overlap_hours: 168 })).status).toBe(200)
    written.push((await rowVersions()).filter((version) => !before.has(version)).length)
  }
  expect(new Set(written)).toEqual(new Set([2]))
  expect(await rowVersions()).toHaveLength(2)
})

test('two concurrent rotations each give a secret, and two work', async () => {
  const { connectionId } = await seedConnection(context, { ...seeded, source })
  const path = `${connections}/${connectionId}/rotate`
  const answers = await Promise.all([client.post(path), client.post(path)])
  const secrets = answers.map((answer) => answer.body.credential as string)
  expect([await works(secrets[0]!), await works(secrets[1]!)]).toEqual([true, true])
  expect((await credentialsOf(connectionId)).filter((row) => row.ends_at === null)).toHaveLength(1)
})

test('what is not signed, expired or revoked cannot be rotated', async () => {
  const { connection } = await make()
  const path = `${connections}/${connection.connection_id}`
  expect(await client.post(`${path}/rotate`)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const signed = await seedConnection(context, { ...seeded, source })
  context.clock.set('2027-01-15T12:00:00Z')
  client = await signInConsole(app, context, seeded.owner)
  const signedPath = `${connections}/${signed.connectionId}`
  expect((await client.get(signedPath)).body.state).toBe('expired')
  expect((await client.post(`${signedPath}/rotate`)).status).toBe(409)
  expect((await client.post(`${signedPath}/revoke`)).body).toMatchObject({
    state: 'revoked',
    revoked_at: '2027-01-15T12:00:00.000Z',
  })
  context.clock.advance(1000)
  expect((await client.post(`${signedPath}/revoke`)).body.revoked_at).toBe('2027-01-15T12:00:00.000Z')
})

const refuse = async (changes: object) => client.post(connections, newConnection(changes))

test('permissions, kind and companies are checked at creation', async () => {
  expect(await refuse({ permissions: [] })).toMatchObject({ status: 400, body: { field: 'permissions' } })
  expect((await refuse({ permissions: ['company.read'] })).status).toBe(400)
  expect((await refuse({ kind: 'demo' })).status).toBe(400)
  expect((await refuse({ name: '' })).status).toBe(400)
  const elsewhere = await seedCompany(context)
  const foreign = await seedSource(context, elsewhere.company.companyId)
  expect((await refuse({ source_id: foreign.sourceId })).status).toBe(404)
  const further = { source_id: null, further_company_ids: [elsewhere.company.companyId] }
  expect((await refuse(further)).status).toBe(404)
  await seedMember(context, elsewhere.company.companyId, { role: 'reader', ...ownerNumber() })
  expect((await refuse(further)).status).toBe(403)
})

test('a further company is the maker’s to give, and gone when they lose it', async () => {
  const elsewhere = await seedCompany(context, { name: 'Andra AB' })
  const { companyId } = elsewhere.company
  await seedMember(context, companyId, ownerNumber())
  expect(
    (await client.post(connections, newConnection({ further_company_ids: [companyId] }))).body,
  ).toMatchObject({ code: 'invalid_argument', field: 'further_company_ids' })

  const { connection } = await make({ source_id: null, further_company_ids: [companyId] })
  expect(connection.further_companies).toMatchObject([{ company_id: companyId, name: 'Andra AB' }])
  const order = await startSigning(connection.connection_id)
  expect(order.visible_text).toContain('Also acts on: Andra AB')
  const otherOwner = await signInConsole(app, context, elsewhere.owner)
  await otherOwner.delete(`/console/companies/${companyId}/members/${seeded.owner.memberId}`)
  const shown = (await client.get(`${connections}/${connection.connection_id}`)).body
  expect(shown.further_companies).toEqual([])
})

test('a connection outlives its maker’s membership, and the owners see whose it was', async () => {
  const developer = await seedMember(context, seeded.company.companyId, { name: 'Dev Elin' })
  const { connectionId } = await seedConnection(context, {
    company: seeded.company,
    owner: developer,
    source,
  })
  await client.delete(`/console/companies/${seeded.company.companyId}/members/${developer.memberId}`)
  expect((await client.get(`${connections}/${connectionId}`)).body).toMatchObject({
    state: 'signed',
    created_by: { name: 'Dev Elin', is_member: false },
  })
})

test('readers and strangers do nothing with connections', async () => {
  const { connectionId } = await seedConnection(context, { ...seeded, source })
  const reader = await seedMember(context, seeded.company.companyId, { role: 'reader' })
  const other = await seedCompany(context)
  const attempts = async (person: { personalNumber: string; name: string }, base: string) => {
    const browser = await signInConsole(app, context, person)
    return [
      await browser.get(`${base}/${connectionId}`),
      await browser.post(`${base}/${connectionId}/sign`),
      await browser.post(`${base}/${connectionId}/rotate`),
      await browser.post(`${base}/${connectionId}/revoke`),
    ].map((answer) => answer.status)
  }
  expect(await attempts(reader, connections)).toEqual([403, 403, 403, 403])
  expect(await attempts(other.owner, connections)).toEqual([404, 404, 404, 404])
  const ownBase = `/console/companies/${other.company.companyId}/connections`
  expect(await attempts(other.owner, ownBase)).toEqual([404, 404, 404, 404])
})

test('the text is in the requested language, and the record is the same', async () => {
  const { connection } = await make({ kind: 'sandbox', source_id: null })
  const path = `${connections}/${connection.connection_id}/sign`
  const order = (await client.post(path, { language: 'sv' })).body
  for (const part of [
    'Jag skriver under den här anslutningen i Numera.',
    'Företag: Bageriet AB',
    'Källa: alla företagets källor',
    '- skicka leveranser till källan (sources.ingest)',
    '- läsa källans värden (metrics.read)',
    'Typ: testläge',
    'Den upphör den 15 januari 2027.',
  ]) {
    expect(order.visible_text).toContain(part)
  }
  expect((await client.post(path, { language: 'tlh' })).status).toBe(400)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  await client.post(`${path}/${order.order_id}/collect`)
  const [signature] = (await client.get('/console/signatures')).body.signatures
  expect(signature.visible_text).toBe(order.visible_text)
  expect(JSON.parse(signature.record)).toMatchObject({ kind: 'sandbox', end_date: '2027-01-15' })
})

test('credentials have their last four characters, and the old one its end', async () => {
  const { connection } = await make()
  const path = `${connections}/${connection.connection_id}`
  expect(connection.credentials).toEqual([])
  const order = await startSigning(connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const { body: signed } = await client.post(`${path}/sign/${order.order_id}/collect`)
  const first = { last_four: signed.secret.slice(-4), created_at: '2026-01-15T12:00:00.000Z', ends_at: null }
  expect(signed.connection.credentials).toEqual([first])
  expect(signed.connection.signed_with).toBe('demo')
  context.clock.advance(hourMs)
  client = await signInConsole(app, context, seeded.owner)
  const { body: rotated } = await client.post(`${path}/rotate`, { overlap_hours: 168 })
  const second = {
    last_four: rotated.credential.slice(-4),
    created_at: '2026-01-15T13:00:00.000Z',
    ends_at: null,
  }
  const shown = async () => (await client.get(path)).body.credentials
  expect(rotated.connection.credentials).toEqual([second, { ...first, ends_at: '2026-01-22T13:00:00.000Z' }])
  expect(await shown()).toEqual(rotated.connection.credentials)
  for (const secret of [signed.secret, rotated.credential]) {
    expect(JSON.stringify((await client.get(path)).body)).not.toContain(secret.slice(-5))
  }
  context.clock.set('2026-01-22T12:59:59Z')
  client = await signInConsole(app, context, seeded.owner)
  expect(await shown()).toHaveLength(2)
  context.clock.advance(1_000)
  expect(await shown()).toEqual([second])
})

test('a connection ends soon from thirty days before its end, by the calendar of the company', async () => {
  const { connectionId } = await seedConnection(context, { ...seeded, source })
  const shown = async () => {
    client = await signInConsole(app, context, seeded.owner)
    const { body } = await client.get(`${connections}/${connectionId}`)
    return [body.state, body.expires_in_days, body.expires_soon]
  }
  expect(await shown()).toEqual(['signed', 365, false])
  // Half an hour before midnight in Stockholm.
  context.clock.set('2026-12-15T22:30:00Z')
  expect(await shown()).toEqual(['signed', 31, false])
  context.clock.set('2026-12-15T23:00:00Z')
  expect(await shown()).toEqual(['signed', 30, true])
  context.clock.set('2027-01-15T11:59:59Z')
  expect(await shown()).toEqual(['signed', 0, true])
  context.clock.set('2027-01-15T12:00:00Z')
  expect(await shown()).toEqual(['expired', null, false])
})

const idsOf = (...some: { connectionId: string }[]) => new Set(some.map(({ connectionId }) => connectionId))

test('a list is of one state, one source or one maker, page by page', async () => {
  const developer = await seedMember(context, seeded.company.companyId)
  const made = await seedConnection(context, { ...seeded, source, signed: false })
  const signed = await seedConnection(context, { ...seeded, source })
  const unbound = await seedConnection(context, { ...seeded })
  const theirs = await seedConnection(context, { ...seeded, owner: developer, source })
  await client.post(`${connections}/${unbound.connectionId}/revoke`)
  const list = async (query: string) =>
    (await client.get(`${connections}?${query}`)).body.connections.map(
      (each: { connection_id: string }) => each.connection_id,
    )
  expect(new Set(await list(''))).toEqual(idsOf(made, signed, unbound, theirs))
  expect(new Set(await list('state=unsigned'))).toEqual(idsOf(made))
  expect(new Set(await list('state=signed'))).toEqual(idsOf(signed, theirs))
  expect(new Set(await list('state=revoked'))).toEqual(idsOf(unbound))
  expect(new Set(await list(`source_id=${source.sourceId}`))).toEqual(idsOf(made, signed, theirs))
  expect(new Set(await list(`created_by=${developer.memberId}&state=signed`))).toEqual(idsOf(theirs))
  expect(await list(`created_by=${developer.memberId}&state=revoked`)).toEqual([])
  const first = (await client.get(`${connections}?state=signed&limit=1`)).body
  const second = (await client.get(`${connections}?state=signed&limit=1&cursor=${first.next_cursor}`)).body
  expect(new Set([...first.connections, ...second.connections].map((each) => each.connection_id))).toEqual(
    idsOf(signed, theirs),
  )
  expect((await client.get(`${connections}?state=living`)).status).toBe(400)
  expect((await client.get(`${connections}?created_by=x`)).status).toBe(400)
  context.clock.set('2027-01-15T12:00:00Z')
  client = await signInConsole(app, context, seeded.owner)
  expect(new Set(await list('state=expired'))).toEqual(idsOf(signed, theirs))
})

test('a revoked connection names the member who revoked it', async () => {
  const { connectionId } = await seedConnection(context, { ...seeded, source })
  const { body } = await client.post(`${connections}/${connectionId}/revoke`)
  expect(body.revoked_by).toEqual({ member_id: seeded.owner.memberId, name: 'Olivia Ägare' })
  expect(body.last_used_at).toBeNull()
})

const lastUsed = async ({ connectionId }: { connectionId: string }) => {
  await app.connectionUses.write()
  return (await client.get(`${connections}/${connectionId}`)).body.last_used_at
}

const call = (credential: string, url = '/v1/samples') =>
  app.inject({
    method: url === '/v1/ingest' ? 'POST' : 'GET',
    url,
    headers: { authorization: `Bearer ${credential}` },
  })

test('when a connection was last used is kept to the minute, of refused calls too, and of no other connection', async () => {
  const used = await seedConnection(context, { ...seeded, source, permissions: ['metrics.read'] })
  const idle = await seedConnection(context, { ...seeded, source })
  expect(await lastUsed(used)).toBeNull()
  context.clock.set('2026-01-15T12:03:59Z')
  expect((await call(used.credential!)).statusCode).toBe(200)
  expect(await lastUsed(used)).toBe('2026-01-15T12:03:00.000Z')
  context.clock.set('2026-01-15T12:04:01Z')
  expect((await call(used.credential!, '/v1/ingest')).statusCode).toBe(403)
  expect(await lastUsed(used)).toBe('2026-01-15T12:04:00.000Z')
  context.clock.set('2026-01-15T12:09:00Z')
  expect((await call('nsk_unknown')).statusCode).toBe(401)
  expect(await lastUsed(used)).toBe('2026-01-15T12:04:00.000Z')
  expect(await lastUsed(idle)).toBeNull()
  // What another process wrote later is not taken back.
  await database.pool.query(`update connection_uses set last_used_at = '2026-01-15T12:30:00Z'`)
  expect((await call(used.credential!)).statusCode).toBe(200)
  expect(await lastUsed(used)).toBe('2026-01-15T12:30:00.000Z')
})

test('calls of a minute are one write, and none waits for it', async () => {
  const { credential } = await seedConnection(context, { ...seeded, source })
  const statements: string[] = []
  const query = context.pool.query.bind(context.pool)
  context.pool.query = (async (statement: { name: string }) => {
    statements.push(statement.name)
    return query(statement as never)
  }) as unknown as typeof context.pool.query
  try {
    for (let calls = 0; calls < 5; calls++) {
      await app.inject({ url: '/v1/samples', headers: { authorization: `Bearer ${credential}` } })
    }
    const uses = () => statements.filter((name) => name === 'connections.upsert-uses').length
    expect(uses()).toBe(0)
    await app.connectionUses.write()
    await app.connectionUses.write()
    expect(uses()).toBe(1)
  } finally {
    context.pool.query = query as typeof context.pool.query
  }
})

test('only the signer gets the evidence, with the proof of the electronic identity', async () => {
  const { connection } = await seedConnection(context, { ...seeded, source })
  const path = `/console/signatures/${connection.signatureId}/evidence`
  const { body } = await client.get(path)
  expect(body).toMatchObject({
    company_name: 'Bageriet AB',
    provider: 'demo',
    record_sha256: expect.any(String),
  })
  expect(JSON.parse(body.evidence)).toMatchObject({
    demo: true,
    record_sha256: body.record_sha256,
    person: { personalNumber: seeded.owner.personalNumber },
  })
  const other = await seedMember(context, seeded.company.companyId, { role: 'owner' })
  expect((await (await signInConsole(app, context, other)).get(path)).status).toBe(404)
  const { body: listed } = await client.get('/console/signatures')
  expect(JSON.stringify(listed)).not.toContain(seeded.owner.personalNumber)
})
