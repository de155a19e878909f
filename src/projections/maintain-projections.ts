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
  deleteOfProjection,
  deleteSamples,
  enumerateDeliveries,
  isBacklogEmpty,
  lockProjections,
  lockSource,
  readCells,
  readEnumerated,
  readRetiredProjections,
  readUnfinishedProjections,
  retireShadow,
  setEnumerated,
  switchProjection,
  tryMaintenance,
  type ProjectionRow,
  type UnfinishedProjectionRow,
} from './queries.ts'

export interface MaintainLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

export interface ProjectionMaintainerOptions {
  pool: Pool
  clock: Clock
  log: MaintainLog
  /** Retired projections are kept so long after they were first seen: a read that began before may still be under way. */
  graceMs?: number
}

export interface ProjectionMaintainer {
  /**
   * Brings unfinished projections one step on, company by company: fills their backlog, switches to them, or removes some of them.
   * Says whether there is more to do at once. Any number of processes may call; one at a time does something.
   */
  step(): Promise<boolean>
}

/** Rebuilds of one company that fill at once; its others wait for their turn. A check's shadow does not count. */
export const rebuildsOfCompanyMax = 2
/** Stored deliveries that are put into the backlog of a rebuild at once; the others follow in the next step. */
export const enumeratedDeliveriesMax = 10_000
/** Companies that one step looks at, and unfinished projections of each; the next step begins behind them. */
const companiesMax = 100
const projectionsOfCompanyMax = 20
/** Parts of retired projections that one step removes. */
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
 * How long a step of maintenance of a projection waits for rows that somebody else has locked, in milliseconds. Then the others go on, and
 * it is tried again in the next step.
 */
export const maintenanceLockTimeoutMs = 2_000
/** Rows deleted by one statement, and cells whose contributions go together. */
const rowsMax = 10_000
const cellsMax = 500

type Key = [companyId: string, sourceId: string, projectionId: number]

const nameOf = (projection: ProjectionRow): string => `${projection.source_id} ${projection.projection_id}`

/** Some of its source's deliveries are in its backlog, or were. */
const isBegun = (projection: ProjectionRow): boolean =>
  projection.enumerated || projection.enumerated_to !== '0'

const keyOf = (projection: ProjectionRow): Key => [
  projection.company_id,
  projection.source_id,
  projection.projection_id,
]

/** Makes a building projection the current one, if it is complete: every stored delivery is in it. */
const switchIfComplete = async (client: PoolClient, key: Key): Promise<boolean> => {
  const [companyId, sourceId, projectionId] = key
  await lockSource.run(client, [companyId, sourceId])
  const projections = await lockProjections.rows(client, [companyId, sourceId])
  // A newer one may have taken its place meanwhile.
  if (
    !projections.some(
      (projection) => projection.projection_id === projectionId && projection.state === 'building',
    )
  )
    return false
  const { empty } = (await isBacklogEmpty.first(client, key))!
  // A delivery that is being read right now still has its backlog row: it is deleted by a later commit.
  if (!empty) return false
  await switchProjection.run(client, key)
  return true
}

/** Removes some of a retired projection. Says whether there is more. */
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
  for (const statement of deleteOfProjection) {
    const { rowCount } = await statement.run(client, [...key, rowsMax])
    if (rowCount === rowsMax) return true
  }
  return false
}

/** Does the maintenance of projections that are not simply current [fold.change]. */
export const createProjectionMaintainer = (options: ProjectionMaintainerOptions): ProjectionMaintainer => {
  const { pool, clock, log, graceMs = retiredKeptMs } = options
  const retiredSinceMs = new Map<string, number>()

  /**
   * Each step is a transaction of its own, under a lock that one process has at a time; undefined where another one has
   * it.
   */
  const alone = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T | undefined> =>
    inTransaction(pool, async (client) => {
      const lock = await tryMaintenance.first(client, [`${maintenanceLockTimeoutMs}ms`])
      return lock!.mine ? work(client) : undefined
    })

  /** One projection's fault must not hold up the others; where the database is away, it is everybody's. */
  const unlessFails = async <T>(
    projection: ProjectionRow,
    work: () => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      const details = { err: error, sourceId: projection.source_id, projectionId: projection.projection_id }
      log.error(details, 'a step of maintenance of a projection failed, it is tried again')
      return undefined
    }
  }

  /** Puts a part of the stored deliveries into the projection's backlog. Says whether there is more. */
  const enumerate = async (projection: ProjectionRow): Promise<boolean> => {
    const at = new Date(clock.now()).toISOString()
    const key = keyOf(projection)
    const isWhole = await alone(async (client) => {
      // Another process may have gone on with it meanwhile.
      const from = await readEnumerated.first(client, key)
      if (from === undefined || from.state === 'retired' || from.enumerated) return undefined
      const params = [...key, at, from.enumerated_to, enumeratedDeliveriesMax] as const
      const part = (await enumerateDeliveries.first(client, [...params]))!
      const done = part.deliveries < enumeratedDeliveriesMax
      // Last, since workers want the projection's row.
      await setEnumerated.run(client, [...key, part.last ?? from.enumerated_to, done])
      return done
    })
    if (isWhole === true)
      log.info(
        { sourceId: projection.source_id, projectionId: projection.projection_id },
        'rebuilding a source',
      )
    return isWhole === false
  }

  const advance = async (projection: UnfinishedProjectionRow): Promise<boolean> => {
    const nowMs = clock.now()
    if (projection.state === 'shadow' && nowMs - projection.created_at.getTime() > shadowMsMax) {
      if (clock.fault?.() === undefined) {
        await alone((client) =>
          retireShadow.run(client, [...keyOf(projection), new Date(nowMs).toISOString()]),
        )
      }
      return false
    }
    if (!projection.enumerated) return enumerate(projection)
    if (projection.state !== 'building') return false
    const { empty } = (await isBacklogEmpty.first(pool, keyOf(projection)))!
    if (empty && (await alone((client) => switchIfComplete(client, keyOf(projection))))) {
      log.info(
        { sourceId: projection.source_id, projectionId: projection.projection_id },
        'a source is read from its new projection',
      )
    }
    return false
  }

  /** Where the next step begins. */
  let advanced = firstUuid
  let removed = firstUuid

  const advanceSome = async (): Promise<boolean> => {
    const projections = await readUnfinishedProjections.rows(pool, [
      true,
      advanced,
      companiesMax,
      projectionsOfCompanyMax,
    ])
    const filling = new Map<string, number>()
    const count = ({ company_id: company }: ProjectionRow): number => filling.get(company) ?? 0
    for (const projection of projections) {
      if (
        projection.state === 'building' &&
        isBegun(projection) &&
        (!projection.enumerated || projection.is_filling)
      ) {
        filling.set(projection.company_id, count(projection) + 1)
      }
    }
    let more = false
    for (const projection of projections) {
      if (projection.state === 'building' && !projection.enumerated && !isBegun(projection)) {
        if (count(projection) >= rebuildsOfCompanyMax) continue
        filling.set(projection.company_id, count(projection) + 1)
      }
      advanced = projection.company_id
      more = (await unlessFails(projection, () => advance(projection))) || more
    }
    return more
  }

  const removeParts = async (): Promise<boolean> => {
    const nowMs = clock.now()
    const projections = await readRetiredProjections.rows(pool, [
      true,
      removed,
      companiesMax,
      projectionsOfCompanyMax,
    ])
    if (retiredSinceMs.size > retiredKnownMax) retiredSinceMs.clear()
    let more = false
    let parts = 0
    for (const projection of projections) {
      const sinceMs = retiredSinceMs.get(nameOf(projection)) ?? nowMs
      retiredSinceMs.set(nameOf(projection), sinceMs)
      if (nowMs - sinceMs < graceMs) continue
      if (parts++ === removalsMax) return true
      removed = projection.company_id
      const isMore = await unlessFails(projection, () =>
        alone((client) => removeSome(client, keyOf(projection))),
      )
      more = isMore || more
      // Not where another process is at it: then its grace is not to start anew.
      if (isMore === false) retiredSinceMs.delete(nameOf(projection))
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
