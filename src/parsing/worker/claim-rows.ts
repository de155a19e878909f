import type { PoolClient } from 'pg'
import { int4Array, int8Array, uuidArray } from '../../database/binary-array.ts'
import { firstUuid, lastUuid } from '../../backlog/company-turns.ts'
import { lanes, type Lane } from '../../backlog/lanes.ts'
import { retryDelayMs, retryDelayMsMax } from './retry-delay.ts'
import {
  claimBacklog,
  claimFirst,
  markBacklog,
  markRetry,
  takeMarked,
  type BacklogKey,
  type ClaimedRow,
  type ClaimParams,
  type KeyArrays,
  type NothingClaimed,
} from './queries.ts'
import { partBytesMax } from './read-stored-content.ts'
import { nowOf, type WorkerState } from './worker-state.ts'

/**
 * Companies that share a round, each with as many deliveries; the next round begins behind them. So a company that sends
 * without end has its share only.
 */
export const roundCompaniesMax = 64
/**
 * How long a round of small deliveries waits for rows that another worker has locked. A larger delivery of the same company
 * may have them for as long as it is written: then that company's small ones wait, and no other's.
 */
export const smallRoundLockTimeoutMs = 500

/** Small deliveries that are taken without regard to companies where none waited before, or of a company that goes alone. */
const firstMax = 64
/** Companies that are looked through for one whose retries are due. */
const retryCompaniesMax = 10_000

const lockTimeout = `set local lock_timeout = ${smallRoundLockTimeoutMs}`

/** Claims some backlog of a lane, company by company. */
export async function claimRows(worker: WorkerState, client: PoolClient, lane: Lane): Promise<ClaimedRow[]> {
  if (lane === 'small') {
    sendLockTimeout(client)
    if (worker.lanes.get(lane)!.isQuiet && worker.blocked.size === 0) {
      return claimSmall(worker, client, firstUuid, lastUuid)
    }
  }
  return claimAround(worker, lane, (params) => claimBacklog.rows(client, { ...params, partBytesMax }))
}

/** Claims small deliveries of one company. */
export async function claimOfCompany(
  worker: WorkerState,
  client: PoolClient,
  companyId: string,
): Promise<ClaimedRow[]> {
  sendLockTimeout(client)
  return claimSmall(worker, client, companyId, companyId)
}

/** Claims some backlog of a lane and stores that it is tried, in a transaction of its own. */
export async function markRows(worker: WorkerState, lane: Lane): Promise<BacklogKey[]> {
  const { pool } = worker
  const attempt = { at: nowOf(worker), pauseMs: retryDelayMs, pauseMsMax: retryDelayMsMax }
  if (lane !== 'retry') {
    return claimAround(worker, lane, (params) => markBacklog.rows(pool, { ...params, ...attempt }))
  }
  const afterCompany = worker.lanes.get(lane)!.after
  return markRetry.rows(pool, { afterCompany, companiesMax: retryCompaniesMax, ...attempt })
}

/** Takes what was marked before. */
export async function takeMarkedRows(
  client: PoolClient,
  lane: Lane,
  marked: readonly BacklogKey[],
): Promise<ClaimedRow[]> {
  const rows = await takeMarked.rows(client, { ...keyArrays(marked), partBytesMax })
  if (lane === 'small') await client.query(lockTimeout)
  return rows
}

export function keyArrays(rows: readonly BacklogKey[]): KeyArrays {
  return {
    companyIds: uuidArray(rows.map((row) => row.company_id)),
    receiveNumbers: int8Array(rows.map((row) => Number(row.receive_number))),
    projectionIds: int4Array(rows.map((row) => row.projection_id ?? 0)),
  }
}

/** Answered before the claim is, which is sent right behind it: that one fails where this one does. */
function sendLockTimeout(client: PoolClient): void {
  client.query(lockTimeout).catch(() => {})
}

async function claimSmall(
  worker: WorkerState,
  client: PoolClient,
  firstCompany: string,
  lastCompany: string,
): Promise<ClaimedRow[]> {
  const rowsMax = Math.min(firstMax, worker.deliveriesMax)
  return claimFirst.rows(client, { lane: lanes.small, firstCompany, lastCompany, rowsMax, partBytesMax })
}

/**
 * Claims behind the company that was served last. Goes on behind companies whose rows others have all locked, until it has
 * been at every company of the lane.
 */
async function claimAround<Row extends { company_id: string }>(
  worker: WorkerState,
  lane: Lane,
  run: (params: ClaimParams) => Promise<(Row | NothingClaimed)[]>,
): Promise<Row[]> {
  const state = worker.lanes.get(lane)!
  const companiesLeftAlone = uuidArray(lane === 'small' ? worker.blocked.ids() : [])
  const start = state.after
  for (let timesAround = 0; ;) {
    const [first, ...rest] = await run({
      lane: lanes[lane],
      afterCompany: state.after,
      companiesMax: roundCompaniesMax,
      rowsMax: state.claimMax,
      bytesMax: worker.bytesMax,
      companiesLeftAlone,
    })
    if (first!.company_id !== null) return [first as Row, ...(rest as Row[])]
    const { is_locked: isLocked, searched_to: searchedTo } = first as NothingClaimed
    state.isQuiet = !isLocked
    if (searchedTo === null) return []
    if (searchedTo <= state.after) timesAround++
    state.after = searchedTo
    if (timesAround > 1 || (timesAround === 1 && searchedTo >= start)) return []
  }
}
