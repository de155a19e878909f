import { beforeEach, expect, test } from 'vitest'
import { signInConsole, type ConsoleClient } from '../testing/console-client.ts'
import { seedCompany, seedMember, seedSource, type SeededCompany } from '../testing/seed.ts'
import { storeDelivery, type StoreOptions } from '../testing/store-delivery.ts'
import { startTestService } from '../testing/test-service.ts'
import { seedScene } from '../testing/scene.ts'
import { startTestWorker } from '../testing/test-worker.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
let seeded: SeededCompany
let sourceId: string
let owner: ConsoleClient
let company: string
beforeEach(async () => {
  const { source, ...of } = await seedScene(context, { source: {} })
  seeded = of
  sourceId = source.sourceId
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${seeded.company.companyId}`
})

const deliver = async (rows: object[] | Buffer, options: StoreOptions = {}): Promise<string> => {
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

test('the developer page shows what the last delivery of each source had refused, or read from a date alone', async () => {
  const other = await seedSource(context, seeded.company.companyId, { name: 'Quiet' })
  await deliver([{ at: '2026-01-14T12:00:00Z', amount: '1' }])
  context.clock.advance(1000)
  const last = await deliver([
    { at: '2026-01-14', amount: '1' },
    { at: '2026-01-14T12:00:00', amount: '1' },
    { at: '2026-01-14T12:00:00Z', amount: 'secret' },
  ])
  const { body } = await owner.get(`${company}/last-deliveries`)
  expect(body.deliveries).toMatchObject([
    {
      artifact_id: last,
      source_id: sourceId,
      state: 'parsed',
      rows_accepted: 1,
      rows_refused: 2,
      rows_date_alone: 1,
    },
  ])
  expect((await owner.get(`${company}/last-deliveries?sandbox=true`)).body.deliveries).toEqual([])
  const page = (await owner.get(`${company}/sources/${sourceId}/deliveries?limit=1`)).body
  expect(page.deliveries).toMatchObject([{ artifact_id: last }])
  const next = `${company}/sources/${sourceId}/deliveries?limit=1&cursor=${page.next_cursor}`
  expect((await owner.get(next)).body).toMatchObject({ deliveries: [{ rows_refused: 0 }], next_cursor: null })
  expect((await owner.get(`${company}/sources/${other.sourceId}/deliveries`)).body.deliveries).toEqual([])
  const shown = await owner.get(`${company}/deliveries/${last}`)
  expect(shown.body.refusals).toMatchObject([
    { row: 2, field: 'at', code: 'timestamp_no_offset' },
    { row: 3, field: 'amount', code: 'number_malformed' },
  ])
  expect(JSON.stringify(shown.body)).not.toContain('secret')
})

test('a refused row of a document is shown with its line', async () => {
  const rows = Buffer.from('at,amount\n2026-01-14,1\n\n2026-01-14,secret\n')
  const artifactId = await deliver(rows, { format: 'csv' })
  const shown = await owner.get(`${company}/deliveries/${artifactId}`)
  expect(shown.body.refusals).toMatchObject([{ row: 2, line: 4, field: 'amount', code: 'number_malformed' }])
})

test('deliveries are for developers, and another company’s are not there', async () => {
  const artifactId = await deliver([{ at: '2026-01-14T12:00:00Z', amount: '1' }])
  const paths = (base: string) => [
    `${base}/last-deliveries`,
    `${base}/sources/${sourceId}/deliveries`,
    `${base}/deliveries/${artifactId}`,
  ]
  const reader = await signInConsole(
    app,
    context,
    await seedMember(context, seeded.company.companyId, { role: 'reader' }),
  )
  for (const path of paths(company)) expect((await reader.get(path)).status, path).toBe(403)

  const elsewhere = await seedCompany(context)
  const stranger = await signInConsole(app, context, elsewhere.owner)
  for (const path of [...paths(company), `${company}/sources/${sourceId}/samples`]) {
    expect((await stranger.get(path)).status, path).toBe(404)
  }
  const own = `/console/companies/${elsewhere.company.companyId}`
  for (const path of [...paths(own).slice(1), `${own}/sources/${sourceId}/samples`]) {
    expect((await stranger.get(path)).status, path).toBe(404)
  }
})
