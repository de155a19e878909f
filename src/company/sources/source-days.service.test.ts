import { expect, test } from 'vitest'
import {
  goodRow,
  refusedRow,
  startDeliveryLog,
} from '../../../testing/in-process/scenes/delivery-log-scene.ts'

const log = await startDeliveryLog()

test('a source shows its deliveries by the company’s days over sixty days, production and test apart', async () => {
  const now = log.context.clock.now()
  const ago = (days: number) => new Date(now - days * 86_400_000).toISOString()
  await log.deliver([goodRow], { receivedAt: ago(61) })
  await log.deliver([goodRow, refusedRow], { receivedAt: ago(59) })
  await log.deliver([goodRow], { receivedAt: ago(1) })
  await log.deliver(Buffer.from('"'), { receivedAt: ago(1), format: 'csv' })
  await log.deliver([goodRow], { receivedAt: ago(1), sandbox: true })
  const days = async (query = '') =>
    (await log.owner.get(`${log.company}/sources/${log.sourceId}/days${query}`)).body.days
  const [first, second, ...others] = await days()
  expect(first).toMatchObject({ deliveries: 1, rows_accepted: 1, rows_refused: 1, unreadable: 0 })
  expect(second).toMatchObject({ deliveries: 2, rows_accepted: 1, rows_refused: 0, unreadable: 1 })
  expect(others).toEqual([])
  expect(await days('?sandbox=true')).toMatchObject([{ deliveries: 1 }])
})
