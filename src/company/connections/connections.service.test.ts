import { expect, test } from 'vitest'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import {
  approveDemoOrder,
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
} from '../../../testing/in-process/seed.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { hourMs, startConnectionScene } from '../../../testing/in-process/scenes/connection-scene.ts'

const scene = await startConnectionScene()
const { database, context, app, newConnection, make, startSigning, ownerNumber, readCredentials } = scene

test('a static credential is returned at creation, and only its hash is stored', async () => {
  const { connection, credential } = await make({ credential_kind: 'static' })
  expect(credential).toMatch(/^nsk_[0-9A-Za-z]{43}$/)
  expect(connection).toMatchObject({ state: 'unsigned', client_id: null, signed_at: null, expires_at: null })
  expect(await readCredentials(connection.connection_id)).toEqual([
    { credential_hash: hashSecret(credential), kind: 'static', ends_at: null },
  ])
  expect(JSON.stringify((await scene.client.get(scene.connections)).body)).not.toContain(credential)
})

test('with client credentials the making gives the id, and there is no secret until the signing', async () => {
  const made = await make()
  expect(made.connection.client_id).toMatch(uuidPattern)
  expect(made).not.toHaveProperty('credential')
  expect(await readCredentials(made.connection.connection_id)).toEqual([])
})

const refuse = async (changes: object) => scene.client.post(scene.connections, newConnection(changes))

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
    (await scene.client.post(scene.connections, newConnection({ further_company_ids: [companyId] }))).body,
  ).toMatchObject({ code: 'invalid_argument', field: 'further_company_ids' })

  const { connection } = await make({ source_id: null, further_company_ids: [companyId] })
  expect(connection.further_companies).toMatchObject([{ company_id: companyId, name: 'Andra AB' }])
  const order = await startSigning(connection.connection_id)
  expect(order.visible_text).toContain('Also acts on: Andra AB')
  const otherOwner = await signInConsole(app, context, elsewhere.owner)
  await otherOwner.delete(`/console/companies/${companyId}/members/${scene.seeded.owner.memberId}`)
  const shown = (await scene.client.get(`${scene.connections}/${connection.connection_id}`)).body
  expect(shown.further_companies).toEqual([])
})

test('a connection outlives its maker’s membership, and the owners see whose it was', async () => {
  const developer = await seedMember(context, scene.seeded.company.companyId, { name: 'Dev Elin' })
  const { connectionId } = await seedConnection(context, {
    company: scene.seeded.company,
    owner: developer,
    source: scene.source,
  })
  await scene.client.delete(
    `/console/companies/${scene.seeded.company.companyId}/members/${developer.memberId}`,
  )
  expect((await scene.client.get(`${scene.connections}/${connectionId}`)).body).toMatchObject({
    state: 'signed',
    created_by: { name: 'Dev Elin', is_member: false },
  })
})

test('readers and strangers do nothing with connections', async () => {
  const { connectionId } = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const reader = await seedMember(context, scene.seeded.company.companyId, { role: 'reader' })
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
  expect(await attempts(reader, scene.connections)).toEqual([403, 403, 403, 403])
  expect(await attempts(other.owner, scene.connections)).toEqual([404, 404, 404, 404])
  const ownBase = `/console/companies/${other.company.companyId}/connections`
  expect(await attempts(other.owner, ownBase)).toEqual([404, 404, 404, 404])
})

test('the text is in the requested language, and the record is the same', async () => {
  const { connection } = await make({ kind: 'sandbox', source_id: null })
  const path = `${scene.connections}/${connection.connection_id}/sign`
  const order = (await scene.client.post(path, { language: 'sv' })).body
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
  expect((await scene.client.post(path, { language: 'tlh' })).status).toBe(400)
  await approveDemoOrder(context, order.presentation.open_url, scene.seeded.owner)
  await scene.client.post(`${path}/${order.order_id}/collect`)
  const [signature] = (await scene.client.get('/console/signatures')).body.signatures
  expect(signature.visible_text).toBe(order.visible_text)
  expect(JSON.parse(signature.record)).toMatchObject({ kind: 'sandbox', end_date: '2027-01-15' })
})

test('credentials have their last four characters, and the old one its end', async () => {
  const { connection } = await make()
  const path = `${scene.connections}/${connection.connection_id}`
  expect(connection.credentials).toEqual([])
  const order = await startSigning(connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, scene.seeded.owner)
  const { body: signed } = await scene.client.post(`${path}/sign/${order.order_id}/collect`)
  const first = { last_four: signed.secret.slice(-4), created_at: '2026-01-15T12:00:00.000Z', ends_at: null }
  expect(signed.connection.credentials).toEqual([first])
  expect(signed.connection.signed_with).toBe('demo')
  context.clock.advance(hourMs)
  scene.client = await signInConsole(app, context, scene.seeded.owner)
  const { body: rotated } = await scene.client.post(`${path}/rotate`, { overlap_hours: 168 })
  const second = {
    last_four: rotated.credential.slice(-4),
    created_at: '2026-01-15T13:00:00.000Z',
    ends_at: null,
  }
  const shown = async () => (await scene.client.get(path)).body.credentials
  expect(rotated.connection.credentials).toEqual([second, { ...first, ends_at: '2026-01-22T13:00:00.000Z' }])
  expect(await shown()).toEqual(rotated.connection.credentials)
  for (const secret of [signed.secret, rotated.credential]) {
    expect(JSON.stringify((await scene.client.get(path)).body)).not.toContain(secret.slice(-5))
  }
  context.clock.set('2026-01-22T12:59:59Z')
  scene.client = await signInConsole(app, context, scene.seeded.owner)
  expect(await shown()).toHaveLength(2)
  context.clock.advance(1_000)
  expect(await shown()).toEqual([second])
})

const toIds = (...some: { connectionId: string }[]) => new Set(some.map(({ connectionId }) => connectionId))

test('a list is of one state, one source or one maker, page by page', async () => {
  const developer = await seedMember(context, scene.seeded.company.companyId)
  const made = await seedConnection(context, { ...scene.seeded, source: scene.source, signed: false })
  const signed = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const unbound = await seedConnection(context, { ...scene.seeded })
  const theirs = await seedConnection(context, { ...scene.seeded, owner: developer, source: scene.source })
  await scene.client.post(`${scene.connections}/${unbound.connectionId}/revoke`)
  const list = async (query: string) =>
    (await scene.client.get(`${scene.connections}?${query}`)).body.connections.map(
      (each: { connection_id: string }) => each.connection_id,
    )
  expect(new Set(await list(''))).toEqual(toIds(made, signed, unbound, theirs))
  expect(new Set(await list('state=unsigned'))).toEqual(toIds(made))
  expect(new Set(await list('state=signed'))).toEqual(toIds(signed, theirs))
  expect(new Set(await list('state=revoked'))).toEqual(toIds(unbound))
  expect(new Set(await list(`source_id=${scene.source.sourceId}`))).toEqual(toIds(made, signed, theirs))
  expect(new Set(await list(`created_by=${developer.memberId}&state=signed`))).toEqual(toIds(theirs))
  expect(await list(`created_by=${developer.memberId}&state=revoked`)).toEqual([])
  const first = (await scene.client.get(`${scene.connections}?state=signed&limit=1`)).body
  const second = (
    await scene.client.get(`${scene.connections}?state=signed&limit=1&cursor=${first.next_cursor}`)
  ).body
  expect(new Set([...first.connections, ...second.connections].map((each) => each.connection_id))).toEqual(
    toIds(signed, theirs),
  )
  expect((await scene.client.get(`${scene.connections}?state=living`)).status).toBe(400)
  expect((await scene.client.get(`${scene.connections}?created_by=x`)).status).toBe(400)
  context.clock.set('2027-01-15T12:00:00Z')
  scene.client = await signInConsole(app, context, scene.seeded.owner)
  expect(new Set(await list('state=expired'))).toEqual(toIds(signed, theirs))
})

test('a revoked connection names the member who revoked it', async () => {
  const { connectionId } = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const { body } = await scene.client.post(`${scene.connections}/${connectionId}/revoke`)
  expect(body.revoked_by).toEqual({ member_id: scene.seeded.owner.memberId, name: 'Olivia Ägare' })
  expect(body.last_used_at).toBeNull()
})

const lastUsed = async ({ connectionId }: { connectionId: string }) => {
  await app.connectionUses.write()
  return (await scene.client.get(`${scene.connections}/${connectionId}`)).body.last_used_at
}

const call = (credential: string, url = '/v1/samples') =>
  app.inject({
    method: url === '/v1/ingest' ? 'POST' : 'GET',
    url,
    headers: { authorization: `Bearer ${credential}` },
  })

test('when a connection was last used is kept to the minute, of refused calls too, and of no other connection', async () => {
  const used = await seedConnection(context, {
    ...scene.seeded,
    source: scene.source,
    permissions: ['metrics.read'],
  })
  const idle = await seedConnection(context, { ...scene.seeded, source: scene.source })
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

test('only the signer gets the evidence, with the proof of the electronic identity', async () => {
  const { connection } = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const path = `/console/signatures/${connection.signatureId}/evidence`
  const { body } = await scene.client.get(path)
  expect(body).toMatchObject({
    company_name: 'Bageriet AB',
    provider: 'demo',
    record_sha256: expect.any(String),
  })
  expect(JSON.parse(body.evidence)).toMatchObject({
    demo: true,
    record_sha256: body.record_sha256,
    person: { personalNumber: scene.seeded.owner.personalNumber },
  })
  const other = await seedMember(context, scene.seeded.company.companyId, { role: 'owner' })
  expect((await (await signInConsole(app, context, other)).get(path)).status).toBe(404)
  const { body: listed } = await scene.client.get('/console/signatures')
  expect(JSON.stringify(listed)).not.toContain(scene.seeded.owner.personalNumber)
})
