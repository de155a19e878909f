import type { Pool } from 'pg'
import { expiredRowsMax } from '../database/expired-rows.ts'
import { deleteDemoOrdersExpiredBy, deleteOrdersExpiredBy } from './queries.ts'

/** Deletes some of the orders that had expired at an instant, settled or not. Returns their number. */
export async function deleteExpiredOrders(context: { pool: Pool }, atMs: number): Promise<number> {
  const { rowCount } = await deleteOrdersExpiredBy.run(context.pool, {
    at: new Date(atMs),
    rowsMax: expiredRowsMax,
  })
  return rowCount ?? 0
}

/** Deletes some of the orders of the demo's electronic identity that had expired at an instant. Returns their number. */
export async function deleteExpiredDemoOrders(context: { pool: Pool }, atMs: number): Promise<number> {
  const { rowCount } = await deleteDemoOrdersExpiredBy.run(context.pool, {
    at: new Date(atMs),
    rowsMax: expiredRowsMax,
  })
  return rowCount ?? 0
}
