import type { Queryable } from '../database/pool.ts'
import { addUsage, deliveryOverheadBytes, type AddedUsage } from './add-usage.ts'
import { selectUsage, walkCells, walkDeliveries } from './queries.ts'

/** Rows that one statement of a recount walks, at most. */
export const recountRowsMax = 50_000

const firstId = '00000000-0000-0000-0000-000000000000'

const counted = async (on: Queryable, companyId: string): Promise<AddedUsage> => {
  const row = await selectUsage.first(on, [companyId])
  return {
    deliveries: Number(row?.deliveries ?? 0),
    storedBytes: Number(row?.stored_bytes ?? 0),
    cells: Number(row?.cells ?? 0),
  }
}

/**
 * Counts what a company holds from the tables themselves, walking them in short statements, and puts right what the sums
 * had. What is read meanwhile may be counted twice, until the next time.
 *
 * @param rowsMax `recountRowsMax` unless said
 */
export const recountUsage = async (
  on: Queryable,
  companyId: string,
  rowsMax = recountRowsMax,
): Promise<void> => {
  const before = await counted(on, companyId)
  const now: AddedUsage = { deliveries: 0, storedBytes: 0, cells: 0 }
  for (let after = firstId; ;) {
    const part = (await walkDeliveries.first(on, [companyId, after, rowsMax]))!
    now.deliveries += Number(part.deliveries)
    now.storedBytes += Number(part.bytes) + Number(part.deliveries) * deliveryOverheadBytes
    if (part.walked < rowsMax) break
    after = part.last!
  }
  for (let after = firstId; ;) {
    const part = (await walkCells.first(on, [companyId, after, rowsMax]))!
    now.cells += part.walked
    if (part.walked < rowsMax) break
    after = part.last!
  }
  const difference: AddedUsage = {
    deliveries: now.deliveries - before.deliveries,
    storedBytes: now.storedBytes - before.storedBytes,
    cells: now.cells - before.cells,
  }
  await addUsage(on, new Map([[companyId, difference]]))
}
