import type { Pool } from 'pg'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import { fromLatestDeliveries } from './latest-deliveries.ts'

const selectLastReceived = defineStatement<{ received_at: Date | null }, Record<string, never>>(
  'deliveries.select-last-received',
  `select max(latest.received_at) as received_at ${fromLatestDeliveries('received_at')}`,
)

/** When the last delivery of a shard was received; undefined if there is none. */
export async function findLastReceivedAt(pool: Pool): Promise<Date | undefined> {
  return (await selectLastReceived.first(pool, {}))!.received_at ?? undefined
}
