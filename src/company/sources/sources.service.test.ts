import { beforeAll, beforeEach, expect, test } from 'vitest'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedCompany, seedMember, seedSource, type SeededCompany } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { saveSource } from '../../../testing/process/save-source.ts'

const { database, context, app } = await startTestService()
let seeded: SeededCompany
let client: ConsoleClient
let sources: string
beforeAll(async () => {
  // Opens connections beforehand, so that concurrent calls are concurrent.
  await Promise.all(Array.from({ length: 8 }, () => database.pool.query('select pg_sleep(0.05)')))
})
beforeEach(async () => {
  const { developer, ...of } = await seedScene(context, { members: ['developer'] })
  seeded = of
  client = await signInConsole(app, context, developer)
  sources = `/console/companies/${seeded.company.companyId}/sources`
})

const declaration = {
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric({ group_by: ['country'] })],
  delivers: 'events',
}
const newSource = { name: 'Shop', system_kind: 'web shop', ...declaration }
const saved = { ...newSource, channel: 'push', format: null, expected_revision: 1 }

const readProjections = async (sourceId: string) =>
  (
    await database.pool.query(
      `select projection_id, shape_version, state, enumerated, samples_version
       from projections where source_id = $1 order by projection_id`,
      [sourceId],
    )
  ).rows

test('a source begins with version 1 and a projection that is complete', async () => {
  const { status, body } = await client.post(sources, newSource)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Shop',
    channel: 'push',
    format: null,
    shape_version: 1,
    delivers: 'events',
    state: 'active',
  })
  expect(await readProjections(body.source_id)).toEqual([
    { projection_id: 1, shape_version: 1, state: 'current', enumerated: true, samples_version: '0' },
  ])
  const shown = await client.get(`${sources}/${body.source_id}`)
  expect(shown.body.versions).toMatchObject([
    { shape_version: 1, ...declaration, saved_by: { name: 'Test Testsson' } },
  ])
  const activity = {
    last_delivery: null,
    freshness: { last_received_at: null, usual_seconds: null, late: false },
    rebuild: null,
  }
  expect((await client.get(sources)).body.sources).toEqual([{ ...body, activity }])
})

test('a declaration is refused with the place of what is wrong', async () => {
  const refused = async (changes: object) => (await client.post(sources, { ...newSource, ...changes })).body
  expect(await refused({ event_time: 'amount' })).toMatchObject({
    code: 'invalid_argument',
    field: 'event_time',
  })
  expect(await refused({ metrics: [testMetric({ group_by: ['customer'] })] })).toMatchObject({
    field: 'metrics[0].group_by[0]',
  })
  expect(await refused({ metrics: [testMetric(), testMetric()] })).toMatchObject({
    field: 'metrics[1].metric',
  })
  expect(await refused({ fields: [] })).toMatchObject({ field: 'fields' })
  expect(await refused({ surprise: 1 })).toMatchObject({ field: 'surprise' })
  expect(await refused({ name: '  ' })).toMatchObject({ field: 'name' })
  expect((await client.get(sources)).body.sources).toEqual([])
})

test('a save that counts differently rebuilds the stored deliveries, and no other does', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId, declaration as never)
  let version = 1
  const save = async (changes: object) => {
    const { body } = await saveSource(client, `${sources}/${sourceId}`, { ...declaration, ...changes })
    expect(body.source.shape_version).toBe(++version)
    return body.rebuilds as boolean
  }
  const [at, amount, country, customer] = testFields
  expect(await save({ fields: [...testFields, { name: 'note', type: 'text', personal: false }] })).toBe(false)
  // No metric reads the customer.
  expect(await save({ fields: [at, amount, country, { ...customer, type: 'number' }] })).toBe(false)
  expect(await save({ fields: [at, amount, { ...country, type: 'bool' }, customer] })).toBe(true)
  expect(await save({})).toBe(true)
  expect(await save({ delivers: 'statements' })).toBe(true)
  expect(await save({ delivers: 'statements', metrics: [testMetric({ period: 'week' })] })).toBe(true)
  const projections = await readProjections(sourceId)
  expect(projections.filter((projection) => projection.state === 'building')).toMatchObject([
    { shape_version: version },
  ])
  expect(projections.find((projection) => projection.state === 'current')).toMatchObject({
    projection_id: 1,
    shape_version: 1,
  })
  const { body } = await client.get(`${sources}/${sourceId}`)
  expect(body.versions.map(({ shape_version }: { shape_version: number }) => shape_version)).toEqual([
    7, 6, 5, 4, 3, 2, 1,
  ])
  expect(body.versions[5].fields).toHaveLength(5)
})

test('a rebuild can be requested', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId)
  expect((await client.post(`${sources}/${sourceId}/rebuilds`)).status).toBe(204)
  expect((await readProjections(sourceId)).map((projection) => projection.state)).toEqual([
    'current',
    'building',
  ])
})

test('a source is renamed and becomes a webhook source without a new version', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId)
  const save = (changes: object) => saveSource(client, `${sources}/${sourceId}`, changes)
  expect((await save({ name: 'Butik' })).body.source).toMatchObject({ name: 'Butik', shape_version: 1 })
  expect((await save({ channel: 'webhook', format: 'csv' })).body.source).toMatchObject({
    name: 'Butik',
    channel: 'webhook',
    format: 'csv',
    shape_version: 1,
  })
  expect((await save({ format: null })).body.source.format).toBeNull()
  expect((await save({ name: 'A\nB' })).status).toBe(400)
})

test('pausing twice keeps the first moment; resuming makes it active', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId)
  const path = `${sources}/${sourceId}`
  const state = async () => (await client.get(path)).body.source
  expect((await client.post(`${path}/pause`)).status).toBe(204)
  const { paused_at: first } = await state()
  context.clock.advance(1000)
  await client.post(`${path}/pause`)
  expect(await state()).toMatchObject({ state: 'paused', paused_at: first })
  await client.post(`${path}/resume`)
  expect(await state()).toMatchObject({ state: 'active', paused_at: null })
})

test('readers list sources and do nothing else with them; strangers find none', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId)
  const reader = await signInConsole(
    app,
    context,
    await seedMember(context, seeded.company.companyId, { role: 'reader' }),
  )
  expect((await reader.get(sources)).body.sources).toHaveLength(1)
  const asWorker = [
    await reader.post(sources, newSource),
    await reader.get(`${sources}/${sourceId}`),
    await reader.put(`${sources}/${sourceId}`, saved),
    await reader.post(`${sources}/${sourceId}/pause`),
    await reader.post(`${sources}/${sourceId}/resume`),
    await reader.post(`${sources}/${sourceId}/rebuilds`),
  ]
  expect(asWorker.map((answer) => answer.status)).toEqual(asWorker.map(() => 403))

  // A developer elsewhere, by the address of their own company and of this one.
  const other = await seedCompany(context)
  const stranger = await signInConsole(app, context, other.owner)
  for (const base of [sources, `/console/companies/${other.company.companyId}/sources`]) {
    const asStranger = [
      await stranger.get(`${base}/${sourceId}`),
      await stranger.put(`${base}/${sourceId}`, saved),
      await stranger.post(`${base}/${sourceId}/pause`),
      await stranger.post(`${base}/${sourceId}/resume`),
      await stranger.post(`${base}/${sourceId}/rebuilds`),
    ]
    expect(asStranger.map((answer) => answer.status)).toEqual(asStranger.map(() => 404))
  }
})
