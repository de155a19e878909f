import { int8Array, uuidArray } from '../../platform/database/binary-array.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { upsertUsage } from './queries.ts'

/** What a delivery adds to stored bytes besides its content: its row, key, hashes and parse result. */
export const deliveryOverheadBytes = 1_024

/** Negative where something was removed. */
export interface AddedUsage {
  /** Those parsed for the first time. */
  deliveries: number
  /** Their content before compression, and `deliveryOverheadBytes` each. */
  storedBytes: number
  cells: number
}

/**
 * Adds to the usage of companies, in one statement. Call it last in a transaction: until it ends, no other one adds
 * to these companies. Every caller goes through them in the same order.
 */
export async function addUsage(client: Queryable, byCompany: ReadonlyMap<string, AddedUsage>): Promise<void> {
  const companies = [...byCompany]
    .filter(([, { deliveries, storedBytes, cells }]) => deliveries !== 0 || storedBytes !== 0 || cells !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (companies.length === 0) return
  await upsertUsage.run(client, {
    companyIds: uuidArray(companies.map(([companyId]) => companyId)),
    deliveries: int8Array(companies.map(([, { deliveries }]) => deliveries)),
    storedBytes: int8Array(companies.map(([, { storedBytes }]) => storedBytes)),
    cells: int8Array(companies.map(([, { cells }]) => cells)),
  })
}
