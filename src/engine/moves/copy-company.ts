import { setTimeout as sleep } from 'node:timers/promises'
import { settleReceiveNumbers } from '../deliveries/store/receive-numbers.ts'
import { compareRanges, copyInParts, copyingPhases, copyRange, inCopy } from './copy-rows.ts'
import { awaitWriters } from './fence.ts'
import { holdAndSwitch } from './hold-company.ts'
import { MoveError } from './move-error.ts'
import { advanceRun, selectStage, toRange, type MoveRun } from './move-run.ts'
import type { MovedTable } from './moved-tables.ts'
import { selectSourceIds } from './queries.ts'
import type { RowRange } from './row-range.ts'

/**
 * How long a mover waits for transactions that store deliveries, before it copies what they stored, and for those that parse,
 * before it copies what they found: a large delivery is parsed in one transaction. Then the move fails. Milliseconds.
 */
const storedMsMax = 60_000
const parsedMsMax = 20 * 60_000

/** A round of copying that took less is the last one before the next step, in milliseconds; and so is this many. */
const lastRoundMs = 300
const roundsMax = 20

/** How often a company is held before the move fails, and how long it is not held in between, in milliseconds. */
const holdsMax = 8
const holdEveryMs = 1_500

/** Copies what was added to tables since the last round. */
async function copyAdded(run: MoveRun, tables: readonly MovedTable[]): Promise<void> {
  const { from, to, move } = run
  const upTo = await settleReceiveNumbers(from.pool)
  if (!(await awaitWriters(run, ['deliveries', 'webhook_ids'], storedMsMax))) throw new MoveError('busy')
  const sources = await selectSourceIds.rows(from.pool, { companyId: move.companyId })
  const sourceIds = sources.map((row) => row.source_id)
  for (const table of tables) {
    const after = run.copied.get(table.name)?.upTo ?? 0n
    const range: RowRange = { ...toRange(run, table), numbers: { after, upTo } }
    if (after === 0n) await copyInParts(run, range)
    else {
      const added: RowRange = { ...range, sourceIds }
      await inCopy(to, move, copyingPhases, async (client) => {
        await copyRange(from, client, added, run.signal)
        await compareRanges(from.pool, client, [added])
      })
    }
    run.copied.set(table.name, { before: after, upTo })
  }
}

/** Copies what was added, and again what was added meanwhile, until there is little of it. */
async function copyUntilLittle(run: MoveRun, tables: readonly MovedTable[]): Promise<void> {
  for (let round = 1; round <= roundsMax; round++) {
    run.signal.throwIfAborted()
    const startedMs = performance.now()
    await copyAdded(run, tables)
    if (round > 1 && performance.now() - startedMs < lastRoundMs) return
  }
}

/** That nothing was missed or has changed: how many rows there are of what parsing found, and with the numbers copied so far. */
async function compareCounts(run: MoveRun): Promise<void> {
  const ranges = selectStage(run, 'appended', 'queued').map((table): RowRange => ({
    ...toRange(run, table),
    numbers: { after: 0n, upTo: run.copied.get(table.name)!.upTo },
  }))
  const parsed = selectStage(run, 'parsed').map((table) => toRange(run, table))
  await compareRanges(run.from.pool, run.to.pool, [...ranges, ...parsed], 'count')
}

/**
 * Copies a company that has begun to move, and switches to the copy.
 *
 * @returns how long no delivery was accepted, in milliseconds
 * @throws MoveError if it cannot be held for long enough, or if another process has undone the move
 */
export async function copyAndSwitch(run: MoveRun): Promise<number> {
  const { move, signal, onStep } = run
  await copyUntilLittle(run, selectStage(run, 'appended'))
  await onStep('copied', move)

  await advanceRun(run, 'draining')
  await onStep('draining', run.move)
  const all = run.tables.map(({ name }) => name)
  if (!(await awaitWriters(run, all, parsedMsMax))) throw new MoveError('busy')
  await onStep('drained', run.move)
  for (const table of selectStage(run, 'parsed')) await copyInParts(run, toRange(run, table))
  const numbered = selectStage(run, 'appended', 'queued')
  await copyUntilLittle(run, numbered)
  await compareCounts(run)
  await onStep('parsed copied', run.move)

  for (let holds = 1; holds <= holdsMax; holds++) {
    const heldMs = await holdAndSwitch(run)
    if (heldMs !== undefined) return heldMs
    await sleep(holdEveryMs, undefined, { signal })
    await copyUntilLittle(run, numbered)
  }
  throw new MoveError('busy')
}
