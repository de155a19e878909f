import type { Pool } from 'pg'
import { selectLastReceived } from './last-received-queries.ts'

/** When the last delivery of a shard was received; undefined if there is none. */
export async function findLastReceivedAt(pool: Pool): Promise<Date | undefined> {
  return (await selectLastReceived.first(pool, {}))!.received_at ?? undefined
}
