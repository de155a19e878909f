import { expect, test } from 'vitest'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { signatureRate } from '../../people/identity/signing.ts'
import { unseal } from '../../platform/keys/seal.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { approveDemoOrder, seedConnection, seedMember } from '../../../testing/in-process/seed.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { dayMs, hourMs, startConnectionScene } from '../../../testing/in-process/scenes/connection-scene.ts'

const scene = await startConnectionScene()
const { database, context, app, newConnection, make, startSigning, readCredentials, works } = scene

test('a member begins signatures up to a bound, and another one is free to', async () => {
  const { connection } = await make()
  const path = `${scene.connections}/${connection.connection_id}/sign`
  const take = async (count: number): Promise<number[]> => {
    const statuses: number[] = []
    while (statuses.length < count) statuses.push((await scene.client.post(path)).status)
    return statuses
  }
  expect(new Set(await take(signatureRate.burst))).toEqual(new Set([200]))
  const orders = 'select from identity_orders'
  const begun = (await database.pool.query(orders)).rowCount
  const refused = await scene.client.post(path)
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    429,
    'rate_limited',
    '2',
  ])
  expect((await database.pool.query(orders)).rowCount).toBe(begun)
  const other = await seedScene(context, { source: {} })
  scene.source = other.source
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
  const orgnr = `${scene.seeded.company.orgnr.slice(0, 6)}-${scene.seeded.company.orgnr.slice(6)}`
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
    scene.client.post(`${scene.connections}/${connection.connection_id}/sign/${order.order_id}/collect`)
  expect((await collect()).body).toMatchObject({ state: 'pending', visible_text: order.visible_text })
  context.clock.advance(60_000)
  await approveDemoOrder(context, order.presentation.open_url, scene.seeded.owner)
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

  const { body: kept } = await scene.client.get('/console/signatures')
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

test('the evidence of a signature is kept sealed, and opens in its place', async () => {
  const { connection } = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const { rows } = await database.pool.query<{ evidence_sealed: Buffer }>(
    'select evidence_sealed from signatures where signature_id = $1',
    [connection.signatureId],
  )
  const sealed = rows[0]!.evidence_sealed
  expect(sealed.includes(scene.seeded.owner.personalNumber)).toBe(false)
  const place = `signature:${connection.signatureId}`
  const evidence = JSON.parse(unseal(context.keys.master, sealed, place).toString())
  expect(evidence).toMatchObject({
    demo: true,
    person: { personalNumber: scene.seeded.owner.personalNumber },
  })
})

test('another person’s personal number does not sign', async () => {
  const { connection } = await make()
  const order = await startSigning(connection.connection_id)
  const other = await seedMember(context, scene.seeded.company.companyId, { role: 'owner' })
  await approveDemoOrder(context, order.presentation.open_url, other)
  const collect = () =>
    scene.client.post(`${scene.connections}/${connection.connection_id}/sign/${order.order_id}/collect`)
  expect((await collect()).body).toEqual({ state: 'failed', reason: 'other_person' })
  expect((await collect()).body).toMatchObject({ state: 'failed' })
  expect((await scene.client.get(`${scene.connections}/${connection.connection_id}`)).body.state).toBe(
    'unsigned',
  )
  expect(await readCredentials(connection.connection_id)).toEqual([])

  // Another owner may neither begin it nor collect what the maker began.
  const otherClient = await signInConsole(app, context, other)
  expect((await otherClient.post(`${scene.connections}/${connection.connection_id}/sign`)).status).toBe(403)
  const second = await startSigning(connection.connection_id)
  await approveDemoOrder(context, second.presentation.open_url, scene.seeded.owner)
  const path = `${scene.connections}/${connection.connection_id}/sign/${second.order_id}/collect`
  expect((await otherClient.post(path)).status).toBe(404)
  expect((await scene.client.post(path)).body.state).toBe('complete')
})

test('an order for one connection does not sign another', async () => {
  const [one, two] = [await make(), await make()]
  const order = await startSigning(one.connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, scene.seeded.owner)
  const wrong = `${scene.connections}/${two.connection.connection_id}/sign/${order.order_id}/collect`
  expect((await scene.client.post(wrong)).status).toBe(404)
})

test('of concurrent collections one gets the only secret', async () => {
  const { connection } = await make()
  const order = await startSigning(connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, scene.seeded.owner)
  const path = `${scene.connections}/${connection.connection_id}/sign/${order.order_id}/collect`
  const answers = await Promise.all([1, 2, 3, 4].map(() => scene.client.post(path)))
  expect(answers.map((answer) => answer.body.state).toSorted()).toEqual([
    'complete',
    'completed_before',
    'completed_before',
    'completed_before',
  ])
  expect(answers.filter((answer) => answer.body.secret !== undefined)).toHaveLength(1)
  expect(await readCredentials(connection.connection_id)).toHaveLength(1)
})

test('a revoked connection is not signed any more', async () => {
  const { connection } = await make()
  const path = `${scene.connections}/${connection.connection_id}`
  const order = await startSigning(connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, scene.seeded.owner)
  expect((await scene.client.post(`${path}/revoke`)).body.state).toBe('revoked')
  expect((await scene.client.post(`${path}/sign/${order.order_id}/collect`)).status).toBe(409)
  expect(await readCredentials(connection.connection_id)).toEqual([])
})

test('after a rotation both secrets work for a day, then the new one', async () => {
  const { connectionId, secret } = await seedConnection(context, {
    ...scene.seeded,
    source: scene.source,
    credentialKind: 'client',
  })
  const { body } = await scene.client.post(`${scene.connections}/${connectionId}/rotate`)
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
  const { connectionId, credential: first } = await seedConnection(context, {
    ...scene.seeded,
    source: scene.source,
  })
  const rotate = async (body: object = {}) =>
    (await scene.client.post(`${scene.connections}/${connectionId}/rotate`, body)).body.credential as string
  const second = await rotate()
  context.clock.advance(hourMs)
  scene.client = await signInConsole(app, context, scene.seeded.owner)
  const third = await rotate()
  expect(third).toMatch(/^nsk_/)
  expect([await works(first!), await works(second), await works(third)]).toEqual([false, true, true])
  // An end that has passed does not move.
  context.clock.advance(2 * dayMs)
  scene.client = await signInConsole(app, context, scene.seeded.owner)
  await rotate({ overlap_hours: 168 })
  expect([await works(second), await works(third)]).toEqual([false, true])
})

test('the overlap is 0 to 7 days', async () => {
  const { connectionId, credential } = await seedConnection(context, {
    ...scene.seeded,
    source: scene.source,
  })
  const path = `${scene.connections}/${connectionId}/rotate`
  for (const overlap_hours of [-1, 169, 1.5]) {
    expect(await scene.client.post(path, { overlap_hours })).toMatchObject({
      status: 400,
      body: { field: 'overlap_hours' },
    })
  }
  expect((await scene.client.post(path, { overlap_hours: 0 })).status).toBe(200)
  expect(await works(credential!)).toBe(false)
})

test('two concurrent rotations each give a secret, and two work', async () => {
  const { connectionId } = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const path = `${scene.connections}/${connectionId}/rotate`
  const answers = await Promise.all([scene.client.post(path), scene.client.post(path)])
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }])
  const secrets = answers.map((answer) => answer.body.credential as string)
  expect([await works(secrets[0]!), await works(secrets[1]!)]).toEqual([true, true])
  expect((await readCredentials(connectionId)).filter((row) => row.ends_at === null)).toHaveLength(1)
})

test('what is not signed, expired or revoked cannot be rotated', async () => {
  const { connection } = await make()
  const path = `${scene.connections}/${connection.connection_id}`
  expect(await scene.client.post(`${path}/rotate`)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const signed = await seedConnection(context, { ...scene.seeded, source: scene.source })
  context.clock.set('2027-01-15T12:00:00Z')
  scene.client = await signInConsole(app, context, scene.seeded.owner)
  const signedPath = `${scene.connections}/${signed.connectionId}`
  expect((await scene.client.get(signedPath)).body.state).toBe('expired')
  expect((await scene.client.post(`${signedPath}/rotate`)).status).toBe(409)
  expect((await scene.client.post(`${signedPath}/revoke`)).body).toMatchObject({
    state: 'revoked',
    revoked_at: '2027-01-15T12:00:00.000Z',
  })
  context.clock.advance(1000)
  expect((await scene.client.post(`${signedPath}/revoke`)).body.revoked_at).toBe('2027-01-15T12:00:00.000Z')
})
