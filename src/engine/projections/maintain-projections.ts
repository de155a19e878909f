import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../platform/clock/clock.ts'
import { uuidArray } from '../../platform/database/binary-array.ts'
import { isDatabaseUnavailable } from '../../platform/database/is-database-unavailable.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { isParsedHere } from '../../people/companies/moves/require-here.ts'
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
  retireTrial,
  setEnumerated,
  switchProjection,
  tryMaintenance,
  type ProjectionKey,
  type ProjectionRow,
  type UnfinishedProjectionRow,
} from './queries.ts'

interface MaintainLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

export interface ProjectionMaintainerOptions {
  pool: Pool
  /** The shard of the pool. */
  shard: number
  clock: Clock
  log: MaintainLog
  /** How long projections that samples were read from are kept; `retiredKeptMs` by default. */
  graceMs?: number
}

export interface ProjectionMaintainer {
  /**
   * Moves unfinished projections one step on, company by company: fills their backlog, switches to them, or removes
   * some of them. Returns whether there is more to do immediately. Any number of processes may call; one at a time does
   * something.
   */
  step(): Promise<boolean>
}

/** Rebuilds of one company that are filled at a time; its others wait their turn. A trial rebuild does not count. */
export const rebuildsOfCompanyMax = 2
/** Stored deliveries that are put into the backlog of a rebuild in one step; the others follow in the next. */
const enumeratedDeliveriesMax = 10_000
/** Companies that one step serves, and unfinished projections of each; the next step starts after them. */
const companiesMax = 100
const projectionsOfCompanyMax = 20
/** Parts of retired projections that one step removes. */
const removalsMax = 10
/**
 * How long what a rebuild replaced is kept, in milliseconds, since reads that began before may still be under way. Then
 * it is removed.
 */
const retiredKeptMs = 60_000
/**
 * How long a trial rebuild may take, in milliseconds. Then it is removed: one whose command died would be filled
 * forever.
 */
const trialMsMax = 24 * 60 * 60_000
/**
 * How long a maintenance step waits for a projection's rows that others have locked, in milliseconds. Then the other
 * projections get their turn, and this one is tried again in the next step.
 */
const maintenanceLockTimeoutMs = 2_000
/** Rows that one statement deletes, and cells whose contributions are deleted together. */
const rowsMax = 10_000
const cellsMax = 500

/** What a maintainer knows between its steps. */
interface Maintenance {
  readonly pool: Pool
  readonly shard: number
  readonly clock: Clock
  readonly log: MaintainLog
  readonly graceMs: number
  /** The companies after which the next step continues to advance and to remove projections. */
  advancedTo: string
  removedTo: string
}

/** Some of its source's deliveries are in its backlog, or were. */
function isBegun(projection: ProjectionRow): boolean {
  return projection.enumerated || projection.enumerated_to !== '0'
}

function toKey(projection: ProjectionRow): ProjectionKey {
  return {
    companyId: projection.company_id,
    sourceId: projection.source_id,
    projectionId: projection.projection_id,
  }
}

/**
 * Runs a step in a transaction of its own, under a lock that one process has at a time; undefined if another one has
 * it, or if the company moves to another shard meanwhile.
 */
async function alone<T>(
  { pool, shard }: Pick<Maintenance, 'pool' | 'shard'>,
  { companyId }: ProjectionKey,
  work: (client: PoolClient) => Promise<T>,
): Promise<T | undefined> {
  return inTransaction(pool, async (client) => {
    const lock = await tryMaintenance.first(client, { shard, lockTimeout: `${maintenanceLockTimeoutMs}ms` })
    if (!lock!.mine || !(await isParsedHere(client, { shard }, companyId))) return undefined
    return work(client)
  })
}

/** One projection's failure must not delay the others; an unavailable database concerns all of them. */
async function unlessFails<T>(
  log: MaintainLog,
  projection: ProjectionRow,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    const details = { err: error, sourceId: projection.source_id, projectionId: projection.projection_id }
    log.error(details, 'a step of maintenance of a projection failed, it is tried again')
    return undefined
  }
}

/** Puts some of the stored deliveries into a projection's backlog. Says whether there are more. */
async function enumerate(maintenance: Maintenance, projection: ProjectionRow): Promise<boolean> {
  const { clock, log } = maintenance
  const queuedAt = new Date(clock.now()).toISOString()
  const key = toKey(projection)
  const isWhole = await alone(maintenance, key, async (client) => {
    // Another process may have continued with it meanwhile.
    const from = await readEnumerated.first(client, key)
    if (from === undefined || from.state === 'retired' || from.enumerated) return undefined
    const part = (await enumerateDeliveries.first(client, {
      ...key,
      queuedAt,
      after: from.enumerated_to,
      deliveriesMax: enumeratedDeliveriesMax,
    }))!
    const enumerated = part.deliveries < enumeratedDeliveriesMax
    // Last, since workers need the projection's row.
    const enumeratedTo = part.last ?? from.enumerated_to
    await setEnumerated.run(client, { ...key, enumeratedTo, enumerated, added: part.deliveries })
    return enumerated
  })
  if (isWhole === true) {
    log.info({ sourceId: key.sourceId, projectionId: key.projectionId }, 'rebuilding a source')
  }
  return isWhole === false
}

/** Makes a building projection the current one if it is complete, which is if every stored delivery is in it. */
async function switchIfComplete(client: PoolClient, key: ProjectionKey): Promise<boolean> {
  const { companyId, sourceId, projectionId } = key
  await lockSource.run(client, { companyId, sourceId })
  const projections = await lockProjections.rows(client, { companyId, sourceId })
  // A newer one may have replaced it meanwhile.
  const isBuilding = projections.some(
    (projection) => projection.projection_id === projectionId && projection.state === 'building',
  )
  if (!isBuilding) return false
  const { empty } = (await isBacklogEmpty.first(client, key))!
  // A delivery that is being parsed right now still has its backlog row: it is deleted by a later commit.
  if (!empty) return false
  await switchProjection.run(client, key)
  return true
}

/** Advances one projection by a step. Returns whether there is more to do immediately. */
async function advance(maintenance: Maintenance, projection: UnfinishedProjectionRow): Promise<boolean> {
  const { pool, clock, log } = maintenance
  const key = toKey(projection)
  const nowMs = clock.now()
  if (projection.state === 'trial' && nowMs - projection.created_at.getTime() > trialMsMax) {
    if (clock.fault?.() === undefined) {
      await alone(maintenance, key, (client) =>
        retireTrial.run(client, { ...key, at: new Date(nowMs).toISOString() }),
      )
    }
    return false
  }
  if (!projection.enumerated) return enumerate(maintenance, projection)
  if (projection.state !== 'building') return false
  const { empty } = (await isBacklogEmpty.first(pool, key))!
  if (empty && (await alone(maintenance, key, (client) => switchIfComplete(client, key)))) {
    const details = { sourceId: key.sourceId, projectionId: key.projectionId }
    log.info(details, 'a source is read from its new projection')
  }
  return false
}

async function advanceSome(maintenance: Maintenance): Promise<boolean> {
  const projections = await readUnfinishedProjections.rows(maintenance.pool, {
    shard: maintenance.shard,
    afterCompany: maintenance.advancedTo,
    companiesMax,
    projectionsMax: projectionsOfCompanyMax,
  })
  /** By company: the rebuilds that are being filled. */
  const filling = new Map<string, number>()
  const countFilling = ({ company_id: company }: ProjectionRow): number => filling.get(company) ?? 0
  for (const projection of projections) {
    const isFilling = isBegun(projection) && (!projection.enumerated || projection.is_filling)
    if (projection.state === 'building' && isFilling) {
      filling.set(projection.company_id, countFilling(projection) + 1)
    }
  }
  let more = false
  for (const projection of projections) {
    if (projection.state === 'building' && !isBegun(projection)) {
      if (countFilling(projection) >= rebuildsOfCompanyMax) continue
      filling.set(projection.company_id, countFilling(projection) + 1)
    }
    maintenance.advancedTo = projection.company_id
    const isMore = await unlessFails(maintenance.log, projection, () => advance(maintenance, projection))
    more = isMore || more
  }
  return more
}

/** Removes some of a retired projection. Says whether there is more. */
async function removeSome(client: PoolClient, key: ProjectionKey): Promise<boolean> {
  const { companyId } = key
  const cells = await readCells.rows(client, { ...key, cellsMax })
  if (cells.length > 0) {
    const cellIds = uuidArray(cells.map((cell) => cell.cell_id))
    for (const statement of [deleteContributions, deleteDistinctValues]) {
      const { rowCount } = await statement.run(client, { companyId, cellIds, rowsMax })
      if (rowCount === rowsMax) return true
    }
    const { rowCount: removed } = await deleteSamples.run(client, { companyId, cellIds, rowsMax })
    await addUsage(client, new Map([[companyId, { deliveries: 0, storedBytes: 0, cells: -(removed ?? 0) }]]))
    return true
  }
  for (const statement of deleteOfProjection) {
    const { rowCount } = await statement.run(client, { ...key, rowsMax })
    if (rowCount === rowsMax) return true
  }
  return false
}

async function removeParts(maintenance: Maintenance): Promise<boolean> {
  const { pool, log, graceMs } = maintenance
  const projections = await readRetiredProjections.rows(pool, {
    shard: maintenance.shard,
    afterCompany: maintenance.removedTo,
    companiesMax,
    projectionsMax: projectionsOfCompanyMax,
    graceMs,
  })
  let more = false
  let parts = 0
  for (const projection of projections) {
    if (parts++ === removalsMax) return true
    maintenance.removedTo = projection.company_id
    const isMore = await unlessFails(log, projection, () =>
      alone(maintenance, toKey(projection), (client) => removeSome(client, toKey(projection))),
    )
    more = isMore || more
  }
  return more
}

/** Maintains the projections that are not simply current [fold.change]. */
export function createProjectionMaintainer(options: ProjectionMaintainerOptions): ProjectionMaintainer {
  const { pool, shard, clock, log, graceMs = retiredKeptMs } = options
  const maintenance: Maintenance = {
    pool,
    shard,
    clock,
    log,
    graceMs,
    advancedTo: firstUuid,
    removedTo: firstUuid,
  }
  return {
    step: async () => {
      const more = await advanceSome(maintenance)
      return (await removeParts(maintenance)) || more
    },
  }
}
