import type { PoolClient } from 'pg'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { int4Array, int8Array, uuidArray } from '../../../platform/database/binary-array.ts'
import { firstUuid, lastUuid } from '../../backlog/company-turns.ts'
import { queues, type Queue } from '../../backlog/queues.ts'
import {
  claimBacklog,
  addAttempt,
  claimFirst,
  claimMarked,
  lockBacklog,
  lockRetry,
  type BacklogKey,
  type ClaimedRow,
  type ClaimParams,
  type RowsToChange,
  type NothingClaimed,
} from './claim-queries.ts'
import { partBytesMax } from './read-stored-content.ts'
import { getAttempt, type WorkerState } from './worker-state.ts'

/**
 * Companies that share a round, with equally many deliveries each; the next round starts after them. So a company that
 * never stops sending gets no more than its share.
 */
export const roundCompaniesMax = 64
/**
 * How long a round of small deliveries waits for rows that another worker has locked, in milliseconds. A large delivery
 * keeps them locked while it is written: then the small ones of its company wait, and no others.
 */
const smallRoundLockTimeoutMs = 500

/** Small deliveries claimed without regard to companies if none waited before, or of a company that is tried alone. */
const quickClaimMax = 64
/** Companies searched for one with a retry that is due. */
const retryCompaniesMax = 10_000

const lockTimeout = `set local lock_timeout = ${smallRoundLockTimeoutMs}`

/** Claims some of a queue's backlog, company by company. */
export async function claimRows(
  worker: WorkerState,
  client: PoolClient,
  queue: Queue,
): Promise<ClaimedRow[]> {
  if (queue === 'small') {
    sendLockTimeout(client)
    if (worker.queues.get(queue)!.isQuiet && worker.blocked.size === 0) {
      return claimSmall(worker, client, firstUuid, lastUuid)
    }
  }
  return claimAround(worker, queue, (params) => claimBacklog.rows(client, { ...params, partBytesMax }))
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

/** Claims some of a queue's backlog and stores that it is being tried, in a transaction of its own. */
export async function markRows(worker: WorkerState, queue: Queue): Promise<BacklogKey[]> {
  const attempt = getAttempt(worker)
  const mark = <Row extends BacklogKey | NothingClaimed>(
    lock: (client: PoolClient) => Promise<Row[]>,
  ): Promise<Row[]> =>
    inTransaction(worker.pool, async (client) => {
      const rows = await lock(client)
      const locked = rows.filter((row): row is Row & BacklogKey => row.company_id !== null)
      if (locked.length > 0) await addAttempt.run(client, { ...rowsToChange(worker, locked), ...attempt })
      return rows
    })
  if (queue !== 'retry') {
    return claimAround(worker, queue, (params) => mark((client) => lockBacklog.rows(client, params)))
  }
  const afterCompany = worker.queues.get(queue)!.after
  const params = { ...attempt, shard: worker.shard, afterCompany, companiesMax: retryCompaniesMax }
  return mark((client) => lockRetry.rows(client, params))
}

/** Claims rows that were marked before. */
export async function claimMarkedRows(
  worker: WorkerState,
  client: PoolClient,
  queue: Queue,
  marked: readonly BacklogKey[],
): Promise<ClaimedRow[]> {
  const rows = await claimMarked.rows(client, { ...rowsToChange(worker, marked), partBytesMax })
  if (queue === 'small') await client.query(lockTimeout)
  return rows
}

export function rowsToChange(
  { shard }: Pick<WorkerState, 'shard'>,
  rows: readonly BacklogKey[],
): RowsToChange {
  return {
    shard,
    companyIds: uuidArray(rows.map((row) => row.company_id)),
    receiveNumbers: int8Array(rows.map((row) => Number(row.receive_number))),
    projectionIds: int4Array(rows.map((row) => row.projection_id ?? 0)),
  }
}

/** Not awaited: the claim is sent right behind it and fails if this does. */
function sendLockTimeout(client: PoolClient): void {
  client.query(lockTimeout).catch(() => {})
}

async function claimSmall(
  worker: WorkerState,
  client: PoolClient,
  firstCompany: string,
  lastCompany: string,
): Promise<ClaimedRow[]> {
  const rowsMax = Math.min(quickClaimMax, worker.deliveriesMax)
  const { shard } = worker
  const found = await claimFirst.rows(client, {
    shard,
    queue: queues.small,
    firstCompany,
    lastCompany,
    rowsMax,
    partBytesMax,
  })
  const rows = found.filter((row) => !row.parsed_elsewhere)
  // The next claim goes company by company, past those that are parsed elsewhere.
  if (rows.length < found.length) worker.queues.get('small')!.isQuiet = false
  return rows
}

/**
 * Claims from the companies after the one served last. Where others have locked all rows found, it continues
 * with the next companies until it has searched the whole queue.
 */
async function claimAround<Row extends { company_id: string }>(
  worker: WorkerState,
  queue: Queue,
  run: (params: ClaimParams) => Promise<(Row | NothingClaimed)[]>,
): Promise<Row[]> {
  const state = worker.queues.get(queue)!
  const companiesLeftAlone = uuidArray(queue === 'small' ? worker.blocked.ids() : [])
  const start = state.after
  for (let timesAround = 0; ;) {
    const [first, ...rest] = await run({
      shard: worker.shard,
      queue: queues[queue],
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
