import { expiredRowsMax, type DeleteExpired } from '../database/expired-rows.ts'
import { deleteExpiredDemoOrders as deleteOfDemo, deleteExpiredOrders as deleteSome } from './queries.ts'

/** Deletes orders that were past their time, settled or not. */
export const deleteExpiredOrders: DeleteExpired = async (context, atMs) =>
  (await deleteSome.run(context.pool, [new Date(atMs), expiredRowsMax])).rowCount ?? 0

/** Deletes the orders of the demo's electronic identity that were past their time. */
export const deleteExpiredDemoOrders: DeleteExpired = async (context, atMs) =>
  (await deleteOfDemo.run(context.pool, [new Date(atMs), expiredRowsMax])).rowCount ?? 0
