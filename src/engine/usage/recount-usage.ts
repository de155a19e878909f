import type { PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { deliveryOverheadBytes, type AddedUsage } from './add-usage.ts'
import {
  correctUsage,
  endRecount,
  selectRecountsDue,
  selectUsage,
  tryRecount,
  walkCells,
  walkDeliveries,
} from './queries.ts'

/** Rows that one statement of a recount reads; the next one continues after them. */
const recountRowsMax = 50_000
/** How often a company's usage is recounted from the tables, in milliseconds. */
export const recountEveryMs = 86_400_000
/** Companies recounted at a time; the others wait for the next. */
const recountsMax = 100

// Between two statements nothing else listens for the connection's socket breaking.
function ignore(): void {}

const firstId = '00000000-0000-0000-0000-000000000000'

interface RecountOptions {
  /** `recountRowsMax` unless given. */
  rowsMax?: number
  /** Leaves a company alone that was recounted since then. */
  before?: Date
  /** Ends the recount after the statement under way; the sums stay as they are. */
  signal?: AbortSignal
}

type RecountContext = Pick<Context, 'pool' | 'clock'>

/** The usage of a company, counted in short statements. */
async function walk(
  on: Queryable,
  companyId: string,
  { rowsMax = recountRowsMax, signal }: RecountOptions,
): Promise<AddedUsage> {
  const found: AddedUsage = { deliveries: 0, storedBytes: 0, cells: 0 }
  for (let after = firstId; ;) {
    signal?.throwIfAborted()
    const part = (await walkDeliveries.first(on, { companyId, after, limit: rowsMax }))!
    found.deliveries += Number(part.deliveries)
    found.storedBytes += Number(part.bytes) + Number(part.deliveries) * deliveryOverheadBytes
    if (part.walked < rowsMax) break
    after = part.last!
  }
  for (let after = firstId; ;) {
    signal?.throwIfAborted()
    const part = (await walkCells.first(on, { companyId, after, limit: rowsMax }))!
    found.cells += part.walked
    if (part.walked < rowsMax) break
    after = part.last!
  }
  return found
}

/** Counts one company under its lock. */
async function recount(
  { clock }: RecountContext,
  client: PoolClient,
  companyId: string,
  options: RecountOptions,
): Promise<void> {
  const { before } = options
  const at = new Date(clock.now())
  // Sums and tables as they are at one moment: what is parsed adds to both in one transaction. So the difference is
  // exact, even where deliveries are parsed or removed while this walks.
  await client.query('begin isolation level repeatable read, read only')
  const sums = await selectUsage.first(client, { companyId })
  const isDue = before === undefined || (sums?.recounted_at ?? new Date(0)) < before
  const found = isDue ? await walk(client, companyId, options) : undefined
  await client.query('commit')
  if (found === undefined) return
  await correctUsage.run(client, {
    companyId,
    deliveries: found.deliveries - Number(sums?.deliveries ?? 0),
    storedBytes: found.storedBytes - Number(sums?.stored_bytes ?? 0),
    cells: found.cells - Number(sums?.cells ?? 0),
    at,
  })
}

/**
 * Counts the usage of a company from the tables, and corrects the sums: exactly, even while deliveries are
 * parsed. It needs one snapshot and one connection until it ends. Returns false where another recount of the
 * company is under way.
 *
 * @throws the reason of `signal`, and what a statement throws; then the sums are as they were
 */
export async function recountUsage(
  context: RecountContext,
  companyId: string,
  options: RecountOptions = {},
): Promise<boolean> {
  const client = await context.pool.connect()
  client.on('error', ignore)
  let isClean = false
  try {
    const { mine } = (await tryRecount.first(client, { companyId }))!
    if (mine) {
      await recount(context, client, companyId, options)
      await endRecount.run(client, { companyId })
    }
    isClean = true
    return mine
  } finally {
    client.off('error', ignore)
    // One that failed is closed: its transaction and its lock end with it.
    client.release(!isClean)
  }
}

/**
 * Recounts the companies that are due, the longest ago first. Any number of processes may call. A company that fails
 * delays no other, and is tried again the next time.
 *
 * @param signal ends it after the statement under way
 */
export async function recountSome(
  context: RecountContext & Pick<Context, 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(context.clock.now() - recountEveryMs)
  const due = await selectRecountsDue.rows(context.pool, {
    before,
    limit: recountsMax,
  })
  for (const { company_id: companyId } of due) {
    if (signal?.aborted) return
    try {
      await recountUsage(context, companyId, { before, ...(signal === undefined ? {} : { signal }) })
    } catch (error) {
      if (signal?.aborted) return
      context.log.warn({ err: error, companyId }, 'the usage of a company could not be recounted')
    }
  }
}
