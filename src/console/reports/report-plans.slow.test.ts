import { expect, test } from 'vitest'
import { fillReports, findFaultyPlans } from '../../../testing/in-process/report-plans.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { seedSource } from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const { database, context } = await startTestService()

test('at a million samples every statement of a report looks into its index, by the server’s own choice', async () => {
  const { company, source } = await seedScene(context, { source: {} })
  const { companyId } = company
  const { sourceId: otherId } = await seedSource(context, companyId)
  const sources = { companyId, sourceId: source.sourceId, otherId }
  // Of two sources, each with 400 days.
  await fillReports(database.pool, sources, 1_250)
  const { rows } = await database.pool.query('select count(*)::int4 as samples from samples')
  expect(rows).toEqual([{ samples: 1_000_000 }])
  const { planned, faults } = await findFaultyPlans(database.pool, sources, { mayReadWhole: true })
  expect(faults).toEqual({})
  expect(planned).toBeGreaterThan(10)
})
