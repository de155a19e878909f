import { describe, expect, test } from 'vitest'
import { seedSource } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { goodRow as good, startDeliveryLog } from '../../../testing/in-process/scenes/delivery-log-scene.ts'

const log = await startDeliveryLog()
const { context, store, deliver } = log

const changes = async (artifactId: string, query = '') =>
  (await log.owner.get(`${log.company}/deliveries/${artifactId}/samples${query}`)).body
const sold = (country: string, amount: string, at = '2026-01-14T12:00:00Z') => ({ at, amount, country })
const visit = (customer: string) => ({ at: '2026-01-14T12:00:00Z', customer })

describe('the samples that a delivery changed', () => {
  test('each has its value before, the delivery’s contribution, and its value after', async () => {
    const other = await seedSource(context, log.companyId, {
      metrics: [testMetric({ group_by: ['country'] })],
    })
    const source = other.sourceId
    await deliver([sold('SE', '22898.50')], { source })
    const artifactId = await deliver(
      [sold('SE', '18000'), sold('SE', '420'), sold('NO', '0.10'), sold('FI', '3', '2026-01-15T12:00:00Z')],
      { source },
    )
    await deliver([sold('SE', '1')], { source })
    const sample = { metric: 'revenue', period: 'day', added: null, superseded: false }
    const expected = [
      {
        ...sample,
        period_start: '2026-01-15',
        labels: { country: 'FI' },
        before: null,
        gave: '3',
        rows: 1,
        after: '3',
      },
      {
        ...sample,
        period_start: '2026-01-14',
        labels: { country: 'NO' },
        before: null,
        gave: '0.1',
        rows: 1,
        after: '0.1',
      },
      {
        ...sample,
        period_start: '2026-01-14',
        labels: { country: 'SE' },
        before: '22898.5',
        gave: '18420',
        rows: 2,
        after: '41318.5',
      },
    ]
    expect(await changes(artifactId)).toEqual({ samples: expected, count: 3, next_cursor: null })
    const first = await changes(artifactId, '?limit=2')
    expect(first).toMatchObject({ samples: expected.slice(0, 2), count: 3 })
    expect(await changes(artifactId, `?limit=2&cursor=${first.next_cursor}`)).toEqual({
      samples: expected.slice(2),
      count: 3,
      next_cursor: null,
    })
  })

  test('of a distinct count it is said how many values are new, never which', async () => {
    const metrics = [testMetric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer' })]
    const { sourceId: source } = await seedSource(context, log.companyId, { metrics })
    await deliver([visit('anna'), visit('eva')], { source })
    const artifactId = await deliver([visit('eva'), visit('britt')], { source })
    const { samples } = await changes(artifactId)
    expect(samples).toMatchObject([{ before: '2', gave: '2', added: 1, after: '3', rows: 2 }])
    expect(JSON.stringify(samples)).not.toMatch(/anna|eva|britt/)
  })

  test('for statements, the value before is the previous owner’s, and a later owner is marked', async () => {
    const { sourceId: source } = await seedSource(context, log.companyId, {
      delivers: 'statements',
      metrics: [testMetric({ group_by: ['country'] })],
    })
    await deliver([sold('SE', '10'), sold('NO', '1')], { source })
    const second = await deliver([sold('SE', '12')], { source })
    const third = await deliver([sold('NO', '2'), sold('SE', '12')], { source })
    const removed = { gave: null, rows: 0, added: null, after: null, superseded: false }
    expect(await changes(second)).toMatchObject({
      samples: [
        { labels: { country: 'SE' }, before: '10', gave: '12', after: '12', superseded: true },
        { labels: { country: 'NO' }, before: '1', ...removed },
      ],
      count: 2,
    })
    const page = await changes(second, '?limit=1')
    expect(page.samples).toMatchObject([{ labels: { country: 'SE' } }])
    expect(await changes(second, `?limit=1&cursor=${page.next_cursor}`)).toMatchObject({
      samples: [{ labels: { country: 'NO' } }],
      count: 2,
      next_cursor: null,
    })
    expect((await changes(third)).samples).toMatchObject([
      { labels: { country: 'NO' }, before: null, gave: '2', after: '2', superseded: false },
      { labels: { country: 'SE' }, before: '12', gave: '12', after: '12', superseded: false },
    ])
  })

  test('none while it waits', async () => {
    expect(await changes(await store([good]))).toEqual({ samples: [], count: 0, next_cursor: null })
  })
})
