import type { Context } from '../../context.ts'
import { toPage, pageRows, type PageRequest } from '../../platform/http/pagination.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import { keptMs } from './expiry.ts'
import { countRefusedCalls, selectRefusedCalls } from './queries.ts'
import type { RefusedChannel } from './refused-call.ts'

/** Refused calls that are counted for a list. */
const countedMax = 10_000

interface RefusedCallFilter {
  sourceId: string | null
  connectionId: string | null
  channel: RefusedChannel | null
}

/**
 * The refused calls of the last 30 days that a company's systems made, newest first, like calls of one second as one. `count` is
 * of all pages, at most `countedMax`, and null on those after the first.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listRefusedCalls(
  { pool, clock }: Pick<Context, 'pool' | 'clock'>,
  companyId: string,
  filter: RefusedCallFilter,
  request: PageRequest = {},
) {
  const { after: before, limit } = pageRows(request)
  const params = { companyId, ...filter, after: lowestUuidv7(clock.now() - keptMs) }
  const rows = await selectRefusedCalls.rows(pool, { ...params, before, limit: limit + 1 })
  const calls = rows.map(({ connection_id, connection_name, ...call }) => ({
    ...call,
    // Another company's connection stays unnamed.
    connection:
      connection_id === null || connection_name === null ? null : { connection_id, name: connection_name },
  }))
  const { items, nextCursor } = toPage(calls, limit, (call) => call.call_id)
  const counted =
    before === null ? await countRefusedCalls.first(pool, { ...params, countMax: countedMax }) : undefined
  return { refused_calls: items, count: counted?.calls ?? null, next_cursor: nextCursor }
}
