import type { CompanyMove } from '../../people/companies/moves/company-move.ts'
import { inCopy } from './copy-rows.ts'
import { deleteOfCompany } from './delete-queries.ts'
import type { MovePlace } from './move-place.ts'

/** Rows that one transaction deletes; the rest go with the next. */
const rowsMax = 10_000

type Deletions = readonly (typeof deleteOfCompany)[number][]

async function deleteFrom(
  place: MovePlace,
  move: CompanyMove,
  deletions: Deletions,
  signal?: AbortSignal,
): Promise<void> {
  const { companyId, phase } = move
  for (const { statement } of deletions) {
    for (let deleted = rowsMax; deleted === rowsMax;) {
      signal?.throwIfAborted()
      // Concurrent calls take turns.
      deleted = await inCopy(place, move, [phase], async (client) => {
        const { rowCount } = await statement.run(client, { companyId, rowsMax })
        return rowCount ?? 0
      })
    }
  }
}

/** The shard with the rows of a move that are to be deleted. */
export function toLeftShard({ phase, from, to }: CompanyMove): number {
  return phase === 'moved' ? from : to
}

/**
 * Deletes the rows that a move that is over has left in a shard (`toLeftShard`), in many transactions. Any number of
 * processes may call concurrently.
 *
 * @throws MoveError if the move is no longer what it was
 */
export function deleteLeft(place: MovePlace, move: CompanyMove, signal?: AbortSignal): Promise<void> {
  return deleteFrom(place, move, deleteOfCompany, signal)
}

/** The same for what waits to be parsed alone: it would be measured as if it waited still. */
export function deleteLeftBacklog(place: MovePlace, move: CompanyMove): Promise<void> {
  return deleteFrom(
    place,
    move,
    deleteOfCompany.filter(({ table }) => table === 'backlog'),
  )
}
