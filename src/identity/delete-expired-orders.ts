import type { Pool } from 'pg'
import { deleteExpiredBy } from '../database/expired-rows.ts'
import { deleteBankIdOrdersExpiredBy } from './bankid/queries.ts'
import { deleteDemoOrdersExpiredBy, deleteOrdersExpiredBy } from './queries.ts'

/** Deletes some of the orders that had expired at an instant (`DeleteExpired`), settled or not. */
export function deleteExpiredOrders(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteOrdersExpiredBy, context.pool, atMs)
}

/** The same for the orders of the demo's electronic identity. */
export function deleteExpiredDemoOrders(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteDemoOrdersExpiredBy, context.pool, atMs)
}

/** The same for the orders at BankID. */
export function deleteExpiredBankIdOrders(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteBankIdOrdersExpiredBy, context.pool, atMs)
}
