import type { Queryable } from '../database/pool.ts'
import { selectMasterKeys } from './queries.ts'

/** A master key that the database knows. */
export interface KnownMasterKey {
  fingerprint: Buffer
  /** Since when values may be sealed under it; null once it is retired. */
  recordedAt: Date | null
  retiredAt: Date | null
}

/** Every master key that this database has been sealed under, the newest first. Retired ones seal nothing. */
export async function listMasterKeys(on: Queryable): Promise<KnownMasterKey[]> {
  const rows = await selectMasterKeys.rows(on, {})
  return rows
    .map((row) => ({ fingerprint: row.fingerprint, recordedAt: row.recorded_at, retiredAt: row.retired_at }))
    .toSorted((a, b) => toOrder(b) - toOrder(a))
}

/** Keys in use are newer than any retired one. */
function toOrder({ recordedAt, retiredAt }: KnownMasterKey): number {
  return recordedAt === null ? retiredAt!.getTime() : recordedAt.getTime() + 1e15
}
