import {
  byteaArray,
  int8Array,
  timestamptzArray,
  uuidArray,
  uuidArrayFrom,
} from '../../../platform/database/binary-array.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { aggregations } from '../../aggregations/aggregations.ts'
import { distinctHashBytes } from '../../aggregations/count-distinct.ts'
import { inParts } from './in-parts.ts'
import { lastAtMost } from '../../tables/last-at-most.ts'
import { longList } from '../../tables/long-lists.ts'
import { addDistinctValues } from './queries.ts'
import type { Parsed } from './parse-result.ts'
import type { ContributionBatch } from './contribution-batch.ts'
import { sortedById } from '../../tables/sorted-by-id.ts'

/** One value of a distinct count. */
interface Member {
  /** The first of the cell's entries. */
  entry: number
  hash: Buffer
  result: Parsed
  /** The smallest of the batch's deliveries that have the value. */
  receiveNumber: number
  receivedAtMs: number
}

/** Roughly the bytes of a member as parameters. */
function memberBytes(): number {
  return 100
}

/** The members of sorted entries, cell by cell, each once, sorted by hash. */
function* listMembers(batch: ContributionBatch, sorted: Uint32Array): Generator<Member> {
  for (const [from, to] of batch.cells(sorted)) {
    const results: Parsed[] = []
    /** By parse result: the index of its first hash. */
    const firsts: number[] = []
    const parts: Buffer[] = []
    let count = 0
    for (const entry of sorted.subarray(from, to)) {
      const { aggregated, first, result } = batch.getContributions(entry)
      const hashes = aggregated.distinct(entry - first)!
      results.push(result)
      firsts.push(count)
      parts.push(hashes)
      count += hashes.length / distinctHashBytes
    }
    const hashes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    let member: Member | undefined
    for (const place of sortedById(
      hashes,
      Uint32Array.from({ length: count }, (_, place) => place),
    )) {
      const hash = hashes.subarray(place * distinctHashBytes, (place + 1) * distinctHashBytes)
      const result = results[lastAtMost(firsts, place)]!
      const receivedAtMs = result.receivedAt.getTime()
      if (member !== undefined && member.hash.equals(hash)) {
        member.receiveNumber = Math.min(member.receiveNumber, result.receiveNumber)
        member.receivedAtMs = Math.min(member.receivedAtMs, receivedAtMs)
        continue
      }
      if (member !== undefined) yield member
      member = { entry: sorted[from]!, hash, result, receiveNumber: result.receiveNumber, receivedAtMs }
    }
    if (member !== undefined) yield member
  }
}

/**
 * Stores the values of distinct counts of events sources and sets the parts' `added`. If several deliveries say something
 * about a cell, all of its new values are counted for the first entry.
 */
export async function storeDistinctValues(client: Queryable, batch: ContributionBatch): Promise<void> {
  const parts = batch.parts.filter(
    ({ rule, aggregated }) =>
      rule !== 'replace' &&
      aggregations[aggregated.aggregation].keeps === 'distinct_values' &&
      aggregated.cells > 0,
  )
  for (const contributions of parts) contributions.added = longList.int32(contributions.aggregated.cells)
  for (const part of inParts(listMembers(batch, batch.sorted(parts)), memberBytes)) {
    const rows = await addDistinctValues.rows(client, {
      companyIds: uuidArray(part.map(({ result }) => result.companyId)),
      cellIds: uuidArrayFrom(
        batch.ids,
        part.map(({ entry }) => entry),
      ),
      valueHashes: byteaArray(part.map(({ hash }) => hash)),
      receiveNumbers: int8Array(part.map(({ receiveNumber }) => receiveNumber)),
      receivedAts: timestamptzArray(part.map(({ receivedAtMs }) => receivedAtMs)),
    })
    const entries = new Map(
      [...new Set(part.map(({ entry }) => entry))].map((entry) => [batch.getId(entry), entry]),
    )
    for (const { cell_id } of rows) {
      if (cell_id === null) continue
      const entry = entries.get(cell_id)!
      const { added, first } = batch.getContributions(entry)
      added![entry - first]! += 1
    }
  }
}
