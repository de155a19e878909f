import { expect, test } from 'vitest'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { seedCompany, seedSource } from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { saveSource } from '../../../testing/process/save-source.ts'

const { database, context, app } = await startTestService()

const declaration = {
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric()],
  delivers: 'events' as const,
}
const body = (name: string) => ({ name, system_kind: 'web shop', ...declaration })
const taken = { status: 409, body: { code: 'conflict', field: 'name' } }

const openCompany = async () => {
  const { company, owner, source } = await seedScene(context, { source: { name: 'Web shop' } })
  const client = await signInConsole(app, context, owner)
  const sources = `/console/companies/${company.companyId}/sources`
  return { companyId: company.companyId, client, sources, source }
}

test('a company has no two sources of one name in any spelling', async () => {
  const { companyId, client, sources } = await openCompany()
  for (const name of ['Web shop', ' web SHOP ', 'Web  shop', 'Web\u00a0shop', 'Ｗeb shop'])
    expect([name, await client.post(sources, body(name))]).toMatchObject([name, taken])
  await expect(seedSource(context, companyId, { name: 'WEB SHOP' })).rejects.toMatchObject({ field: 'name' })
  expect((await client.post(sources, body('Webb shop'))).status).toBe(201)
  const elsewhere = await seedCompany(context)
  expect((await seedSource(context, elsewhere.company.companyId, { name: 'Web shop' })).name).toBe('Web shop')
})

test('of concurrent creations of a source with one name one succeeds', async () => {
  const { client, sources } = await openCompany()
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.post(sources, body('Ledger'))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
})

test('a source cannot get the name of another one, and may change the spelling of its own', async () => {
  const { client, sources, source } = await openCompany()
  const { body: ledger } = await client.post(sources, body('Ledger'))
  const path = `${sources}/${ledger.source_id}`
  expect(await saveSource(client, path, { name: 'web shop' })).toMatchObject(taken)
  expect((await client.get(path)).body.source).toMatchObject({ name: 'Ledger', revision: 1 })
  expect((await saveSource(client, path, { name: 'LEDGER' })).body.source.name).toBe('LEDGER')
  const renamed = await Promise.all(
    [ledger.source_id, source.sourceId].map(async (id) =>
      saveSource(client, `${sources}/${id}`, { name: 'Both' }),
    ),
  )
  expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('older sources that share a name can still be changed', async () => {
  const { client, sources, source } = await openCompany()
  const { body: other } = await client.post(sources, body('Other'))
  await database.pool.query(`update sources set name = 'Web shop' where source_id = $1`, [other.source_id])
  for (const id of [other.source_id, source.sourceId])
    expect((await saveSource(client, `${sources}/${id}`, { system_kind: 'till' })).status).toBe(200)
})
