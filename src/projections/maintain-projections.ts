import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../clock/clock.ts'
import { uuidArray } from '../database/binary-array.ts'
import { isDatabaseAway } from '../database/is-database-away.ts'
import { inTransaction } from '../database/transaction.ts'
import { addUsage } from '../usage/add-usage.ts'
import { firstUuid } from '../backlog/company-turns.ts'
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
  readEnumerated,
  readRetiredFolds,
  readUnfinishedFolds,
  retireShadow,
  setEnumerated,
  switchFold,
  tryChores,
  type FoldRow,
  type UnfinishedFoldRow,
} from './queries.ts'

export interface MaintainLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
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
   * Brings unfinished folds one step on, company by company: fills their backlog, switches to them, or removes some of them.
   * Says whether there is more to do at once. Any number of processes may call; one at a time does something.
   */
  step(): Promise<boolean>
}

/** Rebuilds of one company that fill at once; its others wait for their turn. A check's shadow does not count. */
export const rebuildsOfCompanyMax = 2
/** Stored deliveries that are put into the backlog of a rebuild at once; the others follow in the next step. */
export const enumeratedDeliveriesMax = 10_000
/** Companies that one step looks at, and unfinished folds of each; the next step begins behind them. */
const companiesMax = 100
const foldsOfCompanyMax = 20
/** Parts of retired folds that one step removes. */
const removalsMax = 10
const retiredKnownMax = 10_000
/**
 * How long what a rebuild replaced is kept, in milliseconds: a read that began before may still be under way. Then it
 * is removed.
 */
export const retiredKeptMs = 60_000
/**
 * How long a trial rebuild may take, in milliseconds. Then it is removed: one whose command died would be filled for
 * ever.
 */
export const shadowMsMax = 24 * 60 * 60_000
/**
 * How long a chore of a fold waits for rows that somebody else has locked, in milliseconds. Then the others go on, and
 * it is tried again in the next step.
 */
export const choreLockTimeoutMs = 2_000
/** Rows deleted by one statement, and cells whose contributions go together. */
const rowsMax = 10_000
const cellsMax = 500

type Key = [companyId: string, sourceId: string, foldId: number]

const nameOf = (fold: FoldRow): string => `${fold.source_id} ${fold.fold_id}`

/** Some of its source's deliveries are in its backlog, or were. */
const isBegun = (fold: FoldRow): boolean => fold.enumerated || fold.enumerated_to !== '0'

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
  const { pool, clock, log, graceMs = retiredKeptMs } = options
  const retiredSinceMs = new Map<string, number>()

  /**
   * Each step is a transaction of its own, under a lock that one process has at a time; undefined where another one has
   * it.
   */
  const alone = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T | undefined> =>
    inTransaction(pool, async (client) => {
      const lock = await tryChores.first(client, [`${choreLockTimeoutMs}ms`])
      return lock!.mine ? work(client) : undefined
    })

  /** One fold's fault must not hold up the others; where the database is away, it is everybody's. */
  const unlessFails = async <T>(fold: FoldRow, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      const details = { err: error, sourceId: fold.source_id, foldId: fold.fold_id }
      log.error(details, 'a chore of a fold failed, it is tried again')
      return undefined
    }
  }

  /** Puts a part of the stored deliveries into the fold's backlog. Says whether there is more. */
  const enumerate = async (fold: FoldRow): Promise<boolean> => {
    const at = new Date(clock.now()).toISOString()
    const key = keyOf(fold)
    const isWhole = await alone(async (client) => {
      // Another process may have gone on with it meanwhile.
      const from = await readEnumerated.first(client, key)
      if (from === undefined || from.state === 'retired' || from.enumerated) return undefined
      const params = [...key, at, from.enumerated_to, enumeratedDeliveriesMax] as const
      const part = (await enumerateDeliveries.first(client, [...params]))!
      const done = part.deliveries < enumeratedDeliveriesMax
      // Last, since readers want the fold's row.
      await setEnumerated.run(client, [...key, part.last ?? from.enumerated_to, done])
      return done
    })
    if (isWhole === true)
      log.info({ sourceId: fold.source_id, foldId: fold.fold_id }, 'folding a source anew')
    return isWhole === false
  }

  const advance = async (fold: UnfinishedFoldRow): Promise<boolean> => {
    const nowMs = clock.now()
    if (fold.state === 'shadow' && nowMs - fold.created_at.getTime() > shadowMsMax) {
      if (clock.fault?.() === undefined) {
        await alone((client) => retireShadow.run(client, [...keyOf(fold), new Date(nowMs).toISOString()]))
      }
      return false
    }
    if (!fold.enumerated) return enumerate(fold)
    if (fold.state !== 'building') return false
    const { empty } = (await isBacklogEmpty.first(pool, keyOf(fold)))!
    if (empty && (await alone((client) => switchIfComplete(client, keyOf(fold))))) {
      log.info({ sourceId: fold.source_id, foldId: fold.fold_id }, 'a source is read from its new fold')
    }
    return false
  }

  /** Where the next step begins. */
  let advanced = firstUuid
  let removed = firstUuid

  const advanceSome = async (): Promise<boolean> => {
    const folds = await readUnfinishedFolds.rows(pool, [true, advanced, companiesMax, foldsOfCompanyMax])
    const filling = new Map<string, number>()
    const count = ({ company_id: company }: FoldRow): number => filling.get(company) ?? 0
    for (const fold of folds) {
      if (fold.state === 'building' && isBegun(fold) && (!fold.enumerated || fold.is_filling)) {
        filling.set(fold.company_id, count(fold) + 1)
      }
    }
    let more = false
    for (const fold of folds) {
      if (fold.state === 'building' && !fold.enumerated && !isBegun(fold)) {
        if (count(fold) >= rebuildsOfCompanyMax) continue
        filling.set(fold.company_id, count(fold) + 1)
      }
      advanced = fold.company_id
      more = (await unlessFails(fold, () => advance(fold))) || more
    }
    return more
  }

  const removeParts = async (): Promise<boolean> => {
    const nowMs = clock.now()
    const folds = await readRetiredFolds.rows(pool, [true, removed, companiesMax, foldsOfCompanyMax])
    if (retiredSinceMs.size > retiredKnownMax) retiredSinceMs.clear()
    let more = false
    let parts = 0
    for (const fold of folds) {
      const sinceMs = retiredSinceMs.get(nameOf(fold)) ?? nowMs
      retiredSinceMs.set(nameOf(fold), sinceMs)
      if (nowMs - sinceMs < graceMs) continue
      if (parts++ === removalsMax) return true
      removed = fold.company_id
      const isMore = await unlessFails(fold, () => alone((client) => removeSome(client, keyOf(fold))))
      more = isMore || more
      // Not where another process is at it: then its grace is not to start anew.
      if (isMore === false) retiredSinceMs.delete(nameOf(fold))
    }
    return more
  }

  return {
    step: async () => {
      const more = await advanceSome()
      return (await removeParts()) || more
    },
  }
}
