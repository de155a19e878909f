import type { Context } from '../service/context.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import { lowestUuidv7 } from '../values/uuidv7.ts'
import { keptMs } from './delete-old-refused-calls.ts'
import { countRefusedCalls, selectRefusedCalls, type RefusedCallRow } from './queries.ts'
import type { RefusedCall, RefusedChannel } from './refused-call.ts'

/** Refused calls that are counted for a list. */
export const countedMax = 10_000

export interface RefusedCallFilter {
  sourceId: string | null
  connectionId: string | null
  channel: RefusedChannel | null
}

/** Like calls of one second. */
export interface ListedRefusedCall extends Omit<RefusedCall, 'callerId' | 'companyId' | 'calledAtMs'> {
  callId: string
  /** Null for a webhook, and where it is another company's: that is not for this one to see. */
  connection: { connectionId: string; name: string } | null
  calls: number
  /** The last of them. */
  calledAt: Date
}

export interface RefusedCallList extends Page<ListedRefusedCall> {
  /** Of all pages, at most `countedMax`; null on those behind the first. */
  count: number | null
}

/**
 * The refused calls of the last 30 days that a company's systems made, newest first.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listRefusedCalls(
  { pool, clock }: Pick<Context, 'pool' | 'clock'>,
  companyId: string,
  filter: RefusedCallFilter,
  request: PageRequest = {},
): Promise<RefusedCallList> {
  const { after: before, limit } = pageRows(request)
  const params = { companyId, ...filter, after: lowestUuidv7(clock.now() - keptMs) }
  const rows = await selectRefusedCalls.rows(pool, { ...params, before, limit: limit + 1 })
  const page = pageOf(rows.map(toListedRefusedCall), limit, (call) => call.callId)
  const counted =
    before === null ? await countRefusedCalls.first(pool, { ...params, countMax: countedMax }) : undefined
  return { ...page, count: counted?.calls ?? null }
}

function toListedRefusedCall(row: RefusedCallRow): ListedRefusedCall {
  return {
    callId: row.call_id,
    channel: row.channel,
    signed: row.signed,
    sourceId: row.source_id,
    connection:
      row.connection_id === null || row.connection_name === null
        ? null
        : { connectionId: row.connection_id, name: row.connection_name },
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    field: row.field,
    calls: row.calls,
    calledAt: row.called_at,
  }
}
