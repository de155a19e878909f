import { beforeEach, expect, test } from 'vitest'
import type { Source } from '../../company/sources/source.ts'
import { readActivity } from '../../company/sources/source-activity.ts'
import { seedCompany, seedSource } from '../../../testing/in-process/seed.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import type { Freshness } from './freshness.ts'

const { database, context } = await startTestService()
const nowMs = Date.parse('2026-01-15T12:00:00Z')
const secondsPerHour = 3_600

let companyId: string
beforeEach(async () => {
  ;({ companyId } = (await seedCompany(context)).company)
})

/** Of a source whose deliveries were received so many seconds ago. */
const freshnessAfter = async (secondsAgo: number[], isPaused = false): Promise<Freshness> => {
  const source: Source = await seedSource(context, companyId)
  for (const seconds of secondsAgo.toReversed()) {
    const receivedAt = new Date(nowMs - seconds * 1_000).toISOString()
    await storeDelivery(database.pool, { companyId, sourceId: source.sourceId }, [], {
      receivedAt,
      queued: false,
    })
  }
  if (isPaused) {
    await database.pool.query('update sources set paused_at = now() where source_id = $1', [source.sourceId])
  }
  const activities = await readActivity(database.pool, companyId, [source], nowMs)
  return activities.get(source.sourceId)!.freshness
}
const ago = (...hours: number[]): number[] => hours.map((each) => each * secondsPerHour)

test('a source is late after three times its usual interval, and not before', async () => {
  const usual = { usualSeconds: 86_400 }
  expect(await freshnessAfter(ago(72, 96, 120, 144))).toMatchObject({ ...usual, late: false })
  expect(await freshnessAfter(ago(72.001, 96.001, 120.001, 144.001))).toMatchObject({ ...usual, late: true })
})

test('the usual interval is the median, which one long silence does not move', async () => {
  expect(await freshnessAfter(ago(1, 2, 3, 500, 501))).toMatchObject({ usualSeconds: 3_600, late: false })
  expect((await freshnessAfter(ago(1, 2, 5, 6, 9))).usualSeconds).toBe(7_200)
})

test('a source with fewer than three intervals has no rhythm and is never late', async () => {
  expect(await freshnessAfter([])).toEqual({ lastReceivedAt: null, usualSeconds: null, late: false })
  expect(await freshnessAfter(ago(9_000, 9_001))).toEqual({
    lastReceivedAt: new Date(nowMs - 9_000 * secondsPerHour * 1_000),
    usualSeconds: null,
    late: false,
  })
  expect(await freshnessAfter(ago(9_000, 9_001, 9_002))).toMatchObject({ usualSeconds: null, late: false })
})

test('a paused source is never late', async () => {
  expect(await freshnessAfter(ago(900, 901, 902, 903), true)).toMatchObject({
    usualSeconds: 3_600,
    late: false,
  })
})

test('a source that sends in bursts is not late a moment later', async () => {
  const burst = [120, 120.001, 120.001, 120]
  expect((await freshnessAfter(burst)).late).toBe(false)
  // Neither by the seconds within the burst, nor by one long gap before it.
  expect(await freshnessAfter([600, 605, 610, 615, ...ago(24)])).toMatchObject({
    usualSeconds: null,
    late: false,
  })
  const daily = [0, 24, 48, 72].flatMap((hours) => burst.map((seconds) => hours * secondsPerHour + seconds))
  expect(await freshnessAfter(daily)).toMatchObject({ usualSeconds: 86_400, late: false })
})

test('deliveries a minute apart count separately, and closer ones as one', async () => {
  expect((await freshnessAfter([0, 60, 120, 180])).usualSeconds).toBe(60)
  expect((await freshnessAfter([0, 59, 118, 177])).usualSeconds).toBeNull()
})

test('receive times are sorted if they are not in the order of the receive numbers', async () => {
  expect((await freshnessAfter(ago(2, 1, 4, 3))).usualSeconds).toBe(3_600)
})
