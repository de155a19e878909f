/** Which fields tell the rows of two deliveries apart: pure. */
import { RowKeyTable } from '../../../engine/tables/row-key-table.ts'
import type { Columns } from './encoded-rows.ts'

/** Fields of a proposed key, and fields that are tried in sets of several. */
const keyFieldsMax = 4
const combinedFieldsMax = 12
/** Rows that are looked at in all; each set of fields costs those up to its first repetition. */
const visitsMax = 20_000_000

export interface ProposedKey {
  /** Indexes of fields. */
  fields: number[]
  /** Whether no two rows of a side have the same values of them. */
  isUnique: boolean
}

/**
 * The smallest set of fields that is unique in both sides; of equally small ones that of the first `candidates`, which
 * are indexes of fields. If none is, the set that repeats latest.
 */
export function proposeKey(
  sides: readonly Columns[],
  candidates: readonly number[],
  seed: number,
): ProposedKey {
  const varying = candidates.filter((field) =>
    sides.some((side) => side[field]!.some((value, _row, all) => value !== all[0])),
  )
  const usable = varying.length === 0 ? candidates : varying
  let best: { fields: number[]; reach: number } | undefined
  let visits = 0
  const rows = countRows(sides)
  for (let size = 1; size <= keyFieldsMax; size++) {
    for (const fields of subsets(size === 1 ? usable : usable.slice(0, combinedFieldsMax), size)) {
      const reach = countUnique(sides, fields, seed)
      if (reach === rows) return { fields, isUnique: true }
      if (best === undefined || reach > best.reach) best = { fields, reach }
      visits += reach
      if (visits > visitsMax) return { fields: best.fields, isUnique: false }
    }
  }
  return { fields: best?.fields ?? [], isUnique: false }
}

/** Whether no two rows of a side have the same values of these fields. */
export function isUniqueKey(sides: readonly Columns[], fields: readonly number[], seed: number): boolean {
  return countUnique(sides, fields, seed) === countRows(sides)
}

function countRows(sides: readonly Columns[]): number {
  return sides.reduce((sum, side) => sum + side[0]!.length, 0)
}

/** How many rows of each side, from its first on, differ in these fields, together. */
function countUnique(sides: readonly Columns[], fields: readonly number[], seed: number): number {
  return sides.reduce((sum, side) => sum + countUniqueOf(side, fields, seed), 0)
}

function countUniqueOf(columns: Columns, fields: readonly number[], seed: number): number {
  const rows = columns[0]!.length
  const table = new RowKeyTable(fields.length, seed)
  let row = 0
  for (; row < rows; row++) {
    for (let k = 0; k < fields.length; k++) table.key[k] = columns[fields[k]!]![row]!
    if (table.id() < row) break
  }
  table.release()
  return row
}

/** In the order of the items. */
function* subsets(items: readonly number[], size: number): Generator<number[]> {
  if (size === 0) return yield []
  for (let at = 0; at + size <= items.length; at++) {
    for (const rest of subsets(items.slice(at + 1), size - 1)) yield [items[at]!, ...rest]
  }
}
