import { raiseReceiveNumbers, settleReceiveNumbers } from '../deliveries/store/receive-numbers.ts'
import { listMoves, switchShard } from '../../people/companies/moves/transitions.ts'
import { isCutShort } from '../../platform/database/is-database-unavailable.ts'
import { compareRanges, copyingPhases, copyRange, inCopy } from './copy-rows.ts'
import { deleteOfCompany } from './delete-queries.ts'
import { awaitWriters } from './fence.ts'
import { MoveError } from './move-error.ts'
import { advanceRun, selectStage, toRange, type MoveRun } from './move-run.ts'
import type { MovedTableName } from './moved-tables.ts'
import { selectSourceIds } from './queries.ts'
import type { RowRange } from './row-range.ts'

/**
 * How long a mover holds a company before it lets it go again, up to the switch, and how much of that it waits for
 * transactions that were writing. Milliseconds. Less than `holdMsMax`, after which others undo the move.
 */
const heldMsMax = 1_500
const writersMsMax = 800

/**
 * What is written to while nothing is parsed: by deliveries, by transactions that lock `sources` first (`requireHere`), and by
 * records of refused calls. The others are written by workers, for whom the mover has waited before.
 */
const tablesInUse: readonly MovedTableName[] = ['deliveries', 'webhook_ids', 'sources', 'refused_calls']

const uniqueViolation = '23505'

/** Rows of one of the small tables that an earlier hold left; a company has fewer. */
const smallRowsMax = 1_000_000

/** Nothing writes to these rows of the company while it is held: the rest of them is copied, and compared. */
async function copyRest(run: MoveRun, signal: AbortSignal): Promise<void> {
  const { from, to, move } = run
  const { companyId } = move
  const upTo = await settleReceiveNumbers(from.pool)
  const sourceIds = (await selectSourceIds.rows(from.pool, { companyId })).map((row) => row.source_id)
  const numbered = selectStage(run, 'appended', 'queued')
  const small = selectStage(run, 'held')
  const added = (after: 'before' | 'upTo'): RowRange[] =>
    numbered.map((table) => ({
      ...toRange(run, table),
      numbers: { after: run.copied.get(table.name)![after], upTo },
      sourceIds,
    }))
  await inCopy(to, move, copyingPhases, async (client) => {
    for (const { table, statement } of deleteOfCompany)
      if (small.some(({ name }) => name === table))
        await statement.run(client, { companyId, rowsMax: smallRowsMax })
    const whole = small.map((table) => toRange(run, table))
    for (const range of [...whole, ...added('upTo')]) await copyRange(from, client, range, signal)
    // Those of the round before too: that nothing was added to them.
    await compareRanges(from.pool, client, [...whole, ...added('before')])
    signal.throwIfAborted()
  })
  // Those that the company gets in the new shard are greater than all that it has.
  await raiseReceiveNumbers(to.pool, upTo)
}

/** Whether the company is in the new shard; undefined if another process has undone the move. */
async function switchOrFindOut(run: MoveRun): Promise<boolean> {
  const { context, move } = run
  const switched = await switchShard(context, move).catch(async (error: unknown) => {
    // It is unknown whether it was committed.
    const [found] = await listMoves(context.pool, move.companyId)
    if (found?.moveId === move.moveId && found.phase === 'moved') return found
    throw error
  })
  if (switched !== undefined) run.move = switched
  return switched !== undefined
}

/**
 * Holds the company: no delivery is accepted, the rest is copied, and the company is in the new shard; or it is let go again.
 *
 * @returns how long it was held, in milliseconds; undefined if it was let go, since that would have taken too long
 * @throws MoveError if another process has undone the move
 */
export async function holdAndSwitch(run: MoveRun): Promise<number | undefined> {
  const { onStep } = run
  const startedMs = performance.now()
  const timeout = AbortSignal.timeout(heldMsMax)
  const signal = AbortSignal.any([timeout, run.signal])
  await advanceRun(run, 'held')
  try {
    await onStep('held', run.move)
    if (await awaitWriters(run, tablesInUse, writersMsMax)) {
      await copyRest(run, signal)
      await onStep('filled', run.move)
      if (!signal.aborted) {
        if (!(await switchOrFindOut(run))) throw new MoveError('undone')
        const heldMs = performance.now() - startedMs
        await onStep('moved', run.move)
        return heldMs
      }
    }
  } catch (error) {
    const isLate = timeout.aborted && !run.signal.aborted
    const isMomentary =
      isLate ||
      isCutShort(error) ||
      // The new shard has counted meanwhile what waits of the company there.
      (error as { code?: unknown }).code === uniqueViolation ||
      (error instanceof MoveError && error.reason === 'different')
    if (run.move.phase !== 'held' || !isMomentary) throw error
  }
  run.signal.throwIfAborted()
  await advanceRun(run, 'draining')
  await onStep('released', run.move)
  return undefined
}
