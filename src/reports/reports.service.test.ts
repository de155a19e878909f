import { beforeEach, expect, test } from 'vitest'
import { signInConsole } from '../testing/console-client.ts'
import { seedCompany, seedMember, type SeededCompany } from '../testing/seed.ts'
import { storeDelivery, type StoreOptions } from '../testing/store-delivery.ts'
import { startTestService } from '../testing/test-service.ts'
import { seedScene } from '../testing/scene.ts'
import { startTestWorker } from '../testing/test-worker.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
let seeded: SeededCompany
let sourceId: string
let company: string
beforeEach(async () => {
  const { source, ...of } = await seedScene(context, { source: {} })
  seeded = of
  sourceId = source.sourceId
  company = `/console/companies/${seeded.company.companyId}`
})

const deliver = async (rows: object[], options: StoreOptions = {}): Promise<string> => {
  const source = { companyId: seeded.company.companyId, sourceId }
  const { artifactId } = await storeDelivery(database.pool, source, rows, options)
  await worker.drain()
  return artifactId
}

test('a member reads a source’s samples; what was sent as a test reaches no report', async () => {
  const artifactId = await deliver([{ at: '2026-01-14T12:00:00Z', amount: '10.50' }])
  await deliver([{ at: '2026-01-14T12:00:00Z', amount: '99' }], { sandbox: true })
  const reader = await signInConsole(
    app,
    context,
    await seedMember(context, seeded.company.companyId, { role: 'reader' }),
  )
  const samples = `${company}/sources/${sourceId}/samples`
  expect((await reader.get(samples)).body).toEqual({
    source_id: sourceId,
    window: { from: '2024-01-16', to: '2026-01-16', max_days: 731, narrowed: false },
    samples: [
      {
        metric: 'revenue',
        period_start: '2026-01-14',
        value: '10.5',
        labels: {},
        sandbox: false,
        artifact_id: artifactId,
      },
    ],
    truncated: false,
  })
  expect((await reader.get(`${samples}?from=2026-01-15`)).body.samples).toEqual([])
  expect(await reader.get(`${samples}?from=2026-02-30`)).toMatchObject({
    status: 400,
    body: { field: 'from' },
  })
})

test('another company’s samples are not there', async () => {
  const elsewhere = await seedCompany(context)
  const stranger = await signInConsole(app, context, elsewhere.owner)
  const own = `/console/companies/${elsewhere.company.companyId}`
  for (const base of [company, own]) {
    expect((await stranger.get(`${base}/sources/${sourceId}/samples`)).status, base).toBe(404)
  }
})
