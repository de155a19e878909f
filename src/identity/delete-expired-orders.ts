import { expiredRowsMax, type DeleteExpired } from '../database/expired-rows.ts'
import { deleteDemoOrdersExpiredBy, deleteOrdersExpiredBy } from './queries.ts'

/** Deletes orders that were past their time, settled or not. */
export const deleteExpiredOrders: DeleteExpired = async (context, atMs) =>
  (await deleteOrdersExpiredBy.run(context.pool, { at: new Date(atMs), rowsMax: expiredRowsMax })).rowCount ??
  0

/** Deletes the orders of the demo's electronic identity that were past their time. */
export const deleteExpiredDemoOrders: DeleteExpired = async (context, atMs) =>
  (await deleteDemoOrdersExpiredBy.run(context.pool, { at: new Date(atMs), rowsMax: expiredRowsMax }))
    .rowCount ?? 0
