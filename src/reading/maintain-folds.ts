import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../clock.ts'
import { uuidArray } from '../database/binary-array.ts'
import { allowLonger } from '../database/define-statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { addUsage } from '../usage/add-usage.ts'
import {
  deleteContributions,
  deleteDistinctValues,
  deleteOfFold,
  deleteSamples,
  enumerateDeliveries,
  isBacklogEmpty,
  lockFolds,
  lockSource,
  readCells,
  readUnfinishedFolds,
  retireShadow,
  setEnumerated,
  switchFold,
  tryChores,
  wholeSourceTimeoutMs,
  type FoldRow,
} from './fold-queries.ts'

export interface MaintainLog {
  info(details: object, message: string): void
}

export interface FoldMaintainerOptions {
  pool: Pool
  clock: Clock
  log: MaintainLog
  /** Retired folds are kept so long after they were first seen: a read that began before may still be under way. */
  graceMs?: number
}

export interface FoldMaintainer {
  /**
   * Brings every unfinished fold one step on: fills its backlog, switches to it, or removes some of it. Says whether
   * there is more to do at once. Any number of processes may call; one at a time does something.
   */
  step(): Promise<boolean>
}

const foldsMax = 100
const graceMsDefault = 60_000
/** A check that died leaves its shadow, which would be filled for ever. */
export const shadowMsMax = 24 * 60 * 60_000
/** Rows deleted by one statement, and cells whose contributions go together. */
const rowsMax = 10_000
const cellsMax = 500

type Key = [companyId: string, sourceId: string, foldId: number]

const nameOf = (fold: FoldRow): string => `${fold.source_id} ${fold.fold_id}`

const keyOf = (fold: FoldRow): Key => [fold.company_id, fold.source_id, fold.fold_id]

/** Makes a building fold the current one, if it is complete: every stored delivery is in it. */
const switchIfComplete = async (client: PoolClient, key: Key): Promise<boolean> => {
  const [companyId, sourceId, foldId] = key
  await lockSource.run(client, [companyId, sourceId])
  const folds = await lockFolds.rows(client, [companyId, sourceId])
  // A newer one may have taken its place meanwhile.
  if (!folds.some((fold) => fold.fold_id === foldId && fold.state === 'building')) return false
  const { empty } = (await isBacklogEmpty.first(client, key))!
  // A delivery that is being read right now still has its backlog row: it is deleted by a later commit.
  if (!empty) return false
  await switchFold.run(client, key)
  return true
}

/** Removes some of a retired fold. Says whether there is more. */
const removeSome = async (client: PoolClient, key: Key): Promise<boolean> => {
  const cells = await readCells.rows(client, [...key, cellsMax])
  if (cells.length > 0) {
    const ids = uuidArray(cells.map((cell) => cell.cell_id))
    for (const statement of [deleteContributions, deleteDistinctValues]) {
      const { rowCount } = await statement.run(client, [key[0], ids, rowsMax])
      if (rowCount === rowsMax) return true
    }
    const { rowCount: removed } = await deleteSamples.run(client, [key[0], ids, rowsMax])
    await addUsage(client, new Map([[key[0], { deliveries: 0, storedBytes: 0, cells: -(removed ?? 0) }]]))
    return true
  }
  for (const statement of deleteOfFold) {
    const { rowCount } = await statement.run(client, [...key, rowsMax])
    if (rowCount === rowsMax) return true
  }
  return false
}

/** Does the chores of folds that are not simply current (`fold.change`). */
export const createFoldMaintainer = (options: FoldMaintainerOptions): FoldMaintainer => {
  const { pool, clock, log, graceMs = graceMsDefault } = options
  const retiredSinceMs = new Map<string, number>()

  /** Each step is a transaction of its own, under a lock that one process has at a time. */
  const alone = async <T>(work: (client: PoolClient) => Promise<T>, otherwise: T): Promise<T> =>
    inTransaction(pool, async (client) => {
      const lock = await tryChores.first(client, [])
      return lock!.mine ? work(client) : otherwise
    })

  const enumerate = async (fold: FoldRow): Promise<boolean> => {
    const at = new Date(clock.now()).toISOString()
    const done = await alone(async (client) => {
      await allowLonger(client, wholeSourceTimeoutMs)
      const { rowCount } = await enumerateDeliveries.run(client, [...keyOf(fold), at])
      // Last, since readers want the fold's row.
      await setEnumerated.run(client, keyOf(fold))
      return rowCount
    }, undefined)
    if (done === undefined) return false
    log.info({ sourceId: fold.source_id, foldId: fold.fold_id, deliveries: done }, 'folding a source anew')
    return true
  }

  const advance = async (fold: FoldRow): Promise<boolean> => {
    const nowMs = clock.now()
    if (fold.state === 'retired') {
      const sinceMs = retiredSinceMs.get(nameOf(fold)) ?? nowMs
      retiredSinceMs.set(nameOf(fold), sinceMs)
      if (nowMs - sinceMs < graceMs) return false
      return alone((client) => removeSome(client, keyOf(fold)), false)
    }
    if (fold.state === 'shadow' && nowMs - fold.created_at.getTime() > shadowMsMax) {
      if (clock.fault?.() === undefined) {
        await retireShadow.run(pool, [...keyOf(fold), new Date(nowMs).toISOString()])
      }
      return false
    }
    if (!fold.enumerated) return enumerate(fold)
    if (fold.state !== 'building') return false
    const { empty } = (await isBacklogEmpty.first(pool, keyOf(fold)))!
    if (empty && (await alone((client) => switchIfComplete(client, keyOf(fold)), false))) {
      log.info({ sourceId: fold.source_id, foldId: fold.fold_id }, 'a source is read from its new fold')
    }
    return false
  }

  return {
    step: async () => {
      const folds = await readUnfinishedFolds.rows(pool, [foldsMax])
      const retired = new Set(folds.filter((fold) => fold.state === 'retired').map(nameOf))
      for (const name of retiredSinceMs.keys()) if (!retired.has(name)) retiredSinceMs.delete(name)
      let more = false
      for (const fold of folds) more = (await advance(fold)) || more
      return more
    },
  }
}
