import { expect, test, vi } from 'vitest'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { approveDemoOrder, seedConnection } from '../../../testing/in-process/seed.ts'
import { startConnectionScene } from '../../../testing/in-process/scenes/connection-scene.ts'

const scene = await startConnectionScene()
const { database, context, app, directory, make, startSigning, readCredentials } = scene

test('a signature cancelled between the answer and its storing is over, not completed', async () => {
  const { connection } = await make()
  const order = await startSigning(connection.connection_id)
  await approveDemoOrder(context, order.presentation.open_url, scene.seeded.owner)
  const path = `${scene.connections}/${connection.connection_id}/sign/${order.order_id}`
  const { signing } = context.identity
  const collect = signing!.collect.bind(signing)
  vi.spyOn(signing!, 'collect').mockImplementationOnce(async (reference) => {
    const answer = await collect(reference)
    expect((await scene.client.post(`${path}/cancel`)).status).toBe(204)
    return answer
  })
  expect((await scene.client.post(`${path}/collect`)).body).toEqual({ state: 'failed', reason: 'ended' })
  expect((await scene.client.post(`${path}/collect`)).body).toEqual({ state: 'failed', reason: 'ended' })
  const { body } = await scene.client.get(`${scene.connections}/${connection.connection_id}`)
  expect(body).toMatchObject({ state: 'unsigned', signed_at: null })
})

test('of two orders for one connection, one signs it', async () => {
  const { connection } = await make()
  const orders = [await startSigning(connection.connection_id), await startSigning(connection.connection_id)]
  for (const order of orders) await approveDemoOrder(context, order.presentation.open_url, scene.seeded.owner)
  const answers = await Promise.all(
    orders.map((order) =>
      scene.client.post(`${scene.connections}/${connection.connection_id}/sign/${order.order_id}/collect`),
    ),
  )
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  expect(await readCredentials(connection.connection_id)).toHaveLength(1)
  expect(await scene.client.post(`${scene.connections}/${connection.connection_id}/sign`)).toMatchObject({
    status: 409,
  })
})

test('the thirtieth rotation writes as many rows as the second, and a connection has two credentials at most', async () => {
  const { connectionId } = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const rowVersions = async (): Promise<string[]> => {
    const text = 'select xmin::text || ctid::text as version from credentials where connection_id = $1'
    const { rows } = await database.pool.query<{ version: string }>(text, [connectionId])
    return rows.map(({ version }) => version)
  }
  const written: number[] = []
  while (written.length < 30) {
    const before = new Set(await rowVersions())
    const path = `${scene.connections}/${connectionId}/rotate`
    expect((await scene.client.post(path, { overlap_hours: 168 })).status).toBe(200)
    written.push((await rowVersions()).filter((version) => !before.has(version)).length)
  }
  expect(new Set(written)).toEqual(new Set([2]))
  expect(await rowVersions()).toHaveLength(2)
})

test('a connection ends soon from thirty days before its end, by the calendar of the company', async () => {
  const { connectionId } = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const shown = async () => {
    scene.client = await signInConsole(app, context, scene.seeded.owner)
    const { body } = await scene.client.get(`${scene.connections}/${connectionId}`)
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

test('calls of a minute are one write, and none waits for it', async () => {
  const { credential } = await seedConnection(context, { ...scene.seeded, source: scene.source })
  const statements: string[] = []
  const query = directory.query.bind(directory)
  directory.query = (async (statement: { name: string }) => {
    statements.push(statement.name)
    return query(statement as never)
  }) as unknown as typeof directory.query
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
    directory.query = query as typeof directory.query
  }
})
