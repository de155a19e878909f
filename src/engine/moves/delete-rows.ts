import type { Context } from '../../context.ts'
import type { CompanyMove } from '../../people/companies/moves/company-move.ts'
import { requireHere } from '../../people/companies/moves/require-here.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { inCopy } from './copy-rows.ts'
import { deleteOfCompany } from './delete-queries.ts'
import type { MovePlace } from './move-place.ts'
import { lockCopies } from './queries.ts'

type Deletions = readonly (typeof deleteOfCompany)[number][]

async function deleteFrom(
  place: MovePlace,
  move: CompanyMove,
  deletions: Deletions,
  signal?: AbortSignal,
): Promise<void> {
  const { companyId, phase } = move
  for (const { statement, rowsMax } of deletions) {
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

/**
 * Deletes everything of a company in its shard, in many transactions, for which concurrent calls take turns. What is stored
 * meanwhile may be left: nothing is once a call returns 0.
 *
 * @param signal ends it between two transactions
 * @returns how many rows were deleted
 * @throws OverloadedError as `requireHere`
 */
export async function deleteAllOfCompany(
  { pool, shard }: Pick<Context, 'pool' | 'shard'>,
  companyId: string,
  signal: AbortSignal,
): Promise<number> {
  let rows = 0
  for (const { statement, rowsMax } of deleteOfCompany) {
    for (let deleted = rowsMax; deleted === rowsMax;) {
      signal.throwIfAborted()
      deleted = await inTransaction(pool, async (client) => {
        await lockCopies.run(client, { companyId })
        await requireHere(client, { shard }, companyId)
        const { rowCount } = await statement.run(client, { companyId, rowsMax })
        return rowCount ?? 0
      })
      rows += deleted
    }
  }
  return rows
}
