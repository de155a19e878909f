import { aggregationNames, aggregations } from '../../aggregations/aggregations.ts'
import { periods } from '../../../formats/values/period.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { startWorkerDatabase } from '../../../../testing/in-process/test-worker.ts'
import { selectQueue } from '../../backlog/queues.ts'
import type { Delivers, Metric } from '../../declarations/declaration.ts'
import {
  createTestSource,
  testFields,
  testMetric,
  type TestSource,
} from '../../../../testing/in-process/source.ts'
import { storeDelivery, type StoredDelivery } from '../../../../testing/in-process/store-delivery.ts'
import { combine, type AggregatedDelivery } from '../aggregate/combine.ts'
import { compilePlan } from '../plan/compile-plan.ts'
import { madeUpCases } from '../../../../testing/cases/made-up-cases.ts'
import { toContributions, toTouched } from '../../../../testing/cases/contributions.ts'
import { aggregateDelivery } from '../decode/aggregate-delivery.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'

const { database, newWorker } = await startWorkerDatabase()

const metrics: Metric[] = [
  ...aggregationNames.map((aggregation, index) =>
    testMetric({
      metric: aggregation,
      aggregation,
      field: aggregations[aggregation].counts === 'numbers' ? 'amount' : 'customer',
      group_by: index % 2 === 0 ? ['country'] : [],
      period: periods[index % periods.length]!,
    }),
  ),
  testMetric({
    metric: 'filtered',
    filters: [{ field: 'country', comparison: '=', value: 'SE' }],
    group_by: ['country'],
  }),
]
const aggregationByMetric = new Map(metrics.map((metric) => [metric.metric, metric.aggregation]))

const row = fc.record(
  {
    at: fc.constantFrom(
      '2026-01-31',
      '2026-02-01',
      '2026-02-01T12:00:00Z',
      '2026-02-01T12:00:00.5+01:00',
      'never',
    ),
    amount: fc.constantFrom('1', '-1', '0.10', '12345678901234567890.123', '-7.5', 'much'),
    country: fc.constantFrom('SE', 'NO', 'Å', ''),
    customer: fc.constantFrom('ada', 'bo', 'cy'),
  },
  { requiredKeys: [] },
)
const delivery = fc.record({ sandbox: fc.boolean(), rows: fc.array(row, { maxLength: 5 }) })

/** How deliveries are parsed: which go together, in which order, and which are queued twice. */
const schedule = (deliveries: number) =>
  fc.record({
    order: fc.shuffledSubarray(
      Array.from({ length: deliveries }, (_, index) => index),
      { minLength: deliveries },
    ),
    groupSize: fc.integer({ min: 1, max: deliveries }),
    twice: fc.array(fc.boolean(), { minLength: deliveries, maxLength: deliveries }),
    workers: fc.integer({ min: 1, max: 3 }),
    deliveriesMax: fc.integer({ min: 1, max: 4 }),
  })

const scenario = fc
  .array(delivery, { minLength: 1, maxLength: 8 })
  .chain((deliveries) =>
    fc.record({ deliveries: fc.constant(deliveries), schedule: schedule(deliveries.length) }),
  )

const queue = async (source: TestSource, stored: StoredDelivery, projectionId: number): Promise<unknown> =>
  database.pool.query(
    `insert into backlog (
      receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at, queue
    )
    select receive_number, $3, company_id, source_id, artifact_id, content_bytes, received_at,
      ${selectQueue('$3::int4', 'content_bytes')}
    from deliveries where company_id = $1 and artifact_id = $2`,
    [source.companyId, stored.artifactId, projectionId],
  )

/** The samples of a source in the database, in the form of the model. */
const projected = async (source: TestSource): Promise<object[]> => {
  const { rows } = await database.pool.query(
    `select s.metric, s.period_start, s.labels, s.sandbox, trim_scale(s.value)::text as value, s.artifact_id,
      coalesce(o.deliveries > 1, false) as restated
    from samples s
    left join period_owners o using (company_id, source_id, projection_id, sandbox, metric, period_start)
    where s.company_id = $1 and s.source_id = $2 and s.value is not null
    order by s.sandbox, s.period_start desc, s.metric, s.labels`,
    [source.companyId, source.sourceId],
  )
  return rows
}

const check = async (
  delivers: Delivers,
  company: TestSource,
  { deliveries, schedule }: typeof scenario extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> => {
  const source = await createTestSource(database.pool, { delivers, metrics, companyId: company.companyId })
  const stored: StoredDelivery[] = []
  for (const { rows, sandbox } of deliveries) {
    stored.push(await storeDelivery(database.pool, source, rows, { sandbox, queued: false }))
  }

  const options = { deliveriesMax: schedule.deliveriesMax, log: { warn: expect.fail, error: expect.fail } }
  const workers = Array.from({ length: schedule.workers }, () => newWorker(options))
  for (let at = 0; at < schedule.order.length; at += schedule.groupSize) {
    for (const index of schedule.order.slice(at, at + schedule.groupSize)) {
      await queue(source, stored[index]!, 0)
      if (schedule.twice[index]) await queue(source, stored[index]!, 1)
    }
    await Promise.all(workers.map((worker) => worker.drain()))
  }

  const plan = compilePlan(
    { fields: testFields, event_time: 'at' },
    metrics,
    new TimeZone(source.timeZone),
    source.salt,
  )
  const aggregated = deliveries.map(({ rows, sandbox }, index): AggregatedDelivery => {
    const result = aggregateDelivery(plan, Buffer.from(JSON.stringify(rows)))
    if (result.state !== 'parsed') throw new Error('unreadable')
    const contributions = toContributions(result.metrics)
    const touched = toTouched(result.metrics)
    return { receiveNumber: stored[index]!.receiveNumber, sandbox, contributions, touched }
  })
  const artifacts = new Map(stored.map(({ receiveNumber, artifactId }) => [receiveNumber, artifactId]))
  const expected = combine(delivers, aggregationByMetric, aggregated).map(
    ({ metric, periodStart, labels, sandbox, value, artifact, restated }) => ({
      metric,
      period_start: periodStart,
      labels,
      sandbox,
      value,
      artifact_id: artifacts.get(artifact),
      restated,
    }),
  )
  expect(await projected(source)).toEqual(expected)
}

for (const delivers of ['events', 'statements'] as const) {
  test(`${delivers} give the same samples in any order, split among any workers, with any repeats`, async () => {
    const company = await createTestSource(database.pool)
    await fc.assert(
      fc.asyncProperty(scenario, (made) => check(delivers, company, made)),
      { numRuns: madeUpCases(60) },
    )
  })
}
