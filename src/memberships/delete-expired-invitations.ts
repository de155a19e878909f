import type { Pool } from 'pg'
import { deleteExpiredBy } from '../database/expired-rows.ts'
import { deleteInvitationsExpiredBy } from './queries.ts'

/** Deletes some of the links whose time was over at an instant, used or not. Returns their number. */
export async function deleteExpiredInvitations({ pool }: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteInvitationsExpiredBy, pool, atMs)
}
