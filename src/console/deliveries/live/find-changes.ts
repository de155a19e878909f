import { boolArray, int8Array, uuidArray } from '../../../platform/database/binary-array.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { toLoggedDelivery, type LoggedDelivery } from '../logged-delivery.ts'
import type { LogState } from './log-states.ts'
import { selectChangedDeliveries } from './queries.ts'

/** Deliveries that one event carries; when more have changed, pages read their lists instead. */
export const changedDeliveriesMax = 20

/** What differs between two states of a company's deliveries. */
export interface LogChanges {
  /** Deliveries that were received or parsed, the latest first; null when more than that has changed. */
  deliveries: LoggedDelivery[] | null
  /** Whether a call was refused. */
  refusedCalls: boolean
}

/** Sources by their ids, as `readLogState` has them. */
function toSourceStates({ row }: LogState): Map<string, string[]> {
  return new Map(row.sources.map((text) => text.split(' ')).map(([id, ...rest]) => [id!, rest]))
}

interface Newer {
  sourceId: string
  sandbox: boolean
  /** Its deliveries above this receive number are new. */
  than: string
}

/** Which sources have received deliveries; undefined when something else about a source has changed. */
function findNewer(before: LogState, after: LogState): Newer[] | undefined {
  const known = toSourceStates(before)
  const current = toSourceStates(after)
  if ([...known.keys()].some((sourceId) => !current.has(sourceId))) return undefined
  const newer: Newer[] = []
  for (const [sourceId, [projection, production, test, leftOver]] of current) {
    const [projectionBefore = projection, productionBefore = '0', testBefore = '0', leftOverBefore = '0'] =
      known.get(sourceId) ?? []
    if (projection !== projectionBefore || leftOver !== leftOverBefore) return undefined
    if (production !== productionBefore) newer.push({ sourceId, sandbox: false, than: productionBefore })
    if (test !== testBefore) newer.push({ sourceId, sandbox: true, than: testBefore })
  }
  return newer
}

/** Finds what has changed in a company's deliveries. The deliveries are as they are now, which may be later than `after`. */
export async function findChanges(
  pool: Queryable,
  companyId: string,
  before: LogState,
  after: LogState,
): Promise<LogChanges> {
  const refusedCalls = before.row.refused_call !== after.row.refused_call
  const newer = findNewer(before, after)
  const waiting = [...new Set(before.row.waiting).symmetricDifference(new Set(after.row.waiting))]
  const tooMany = waiting.length > changedDeliveriesMax
  if (newer === undefined || tooMany) return { deliveries: null, refusedCalls }
  if (newer.length === 0 && waiting.length === 0) return { deliveries: [], refusedCalls }
  const listed = waiting.map((text) => text.split(' ') as [sourceId: string, receiveNumber: string])
  const rows = await selectChangedDeliveries.rows(pool, {
    companyId,
    newerSourceIds: uuidArray(newer.map(({ sourceId }) => sourceId)),
    newerSandbox: boolArray(newer.map(({ sandbox }) => sandbox)),
    newerThan: int8Array(newer.map(({ than }) => than)),
    sourceIds: uuidArray(listed.map(([sourceId]) => sourceId)),
    receiveNumbers: int8Array(listed.map(([, receiveNumber]) => receiveNumber)),
    limit: changedDeliveriesMax + 1,
  })
  return {
    deliveries: rows.length > changedDeliveriesMax ? null : rows.map(toLoggedDelivery),
    refusedCalls,
  }
}
