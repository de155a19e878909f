import type { Context } from '../service/context.ts'
import { numberRows, pageOf, type Page, type PageRequest } from '../http/pagination.ts'
import { lowestUuidv7 } from '../values/uuidv7.ts'
import { uuidPattern } from '../values/uuid-pattern.ts'
import { countedMax, type DeliveryFilter } from './delivery-filter.ts'
import { toLoggedDelivery, type LoggedDelivery } from './logged-delivery.ts'
import {
  countDeliveries,
  countKeyMatches,
  readReceiptBounds,
  readReceivedAt,
  searches,
  type DeliverySearch,
  type LoggedDeliveryRow,
  type SearchedDeliveryRow,
  type SearchParams,
} from './queries.ts'

/**
 * Deliveries that one page of a filtered list looks at. Where they do not fill it, it ends early and its cursor leads on: so
 * a filter that hardly one of millions passes takes no longer than any other.
 */
export const examinedMax = 10_000

/** Deliveries whose key begins with what is searched for: beyond it they are looked for in the order of receipt. */
export const keyMatchesMax = 5_000

/**
 * How far receive numbers and the times in ids may be out of step, in milliseconds: a delivery is stored within seconds of
 * its id being made.
 */
export const receiptSlackMs = 60_000

/** How many deliveries pass a filter; there may be more than were counted. */
export interface DeliveryCount {
  deliveries: number
  more: boolean
}

export interface DeliveryList extends Page<LoggedDelivery> {
  /** Of all pages; null on those behind the first. */
  count: DeliveryCount | null
  /** Where the search ended before the page was full. */
  searchedTo: Date | null
}

/** Above every receive number. */
const beforeAll = '9223372036854775807'

/** The search that finds what a filter lets through with the fewest looks, and what it is given. */
interface PlannedSearch {
  search: DeliverySearch
  params: Omit<SearchParams, 'before' | 'examinedMax' | 'shareMin' | 'limit'>
  /** Above the receive numbers that the filter lets through. */
  before: string
  /** Whether the index alone decides: then no more is looked at than is shown. */
  isExact: boolean
}

/**
 * A company's deliveries that pass a filter, the latest first [parse.states].
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listDeliveries(
  context: Pick<Context, 'pool'>,
  companyId: string,
  filter: DeliveryFilter,
  request: PageRequest = {},
): Promise<DeliveryList> {
  const { before, limit } = numberRows(request)
  const planned = await planSearch(context, companyId, filter)
  const rows = await planned.search.list.rows(context.pool, {
    ...planned.params,
    before: before !== null && BigInt(before) < BigInt(planned.before) ? before : planned.before,
    examinedMax: planned.isExact ? 0 : examinedMax,
    shareMin: limit + 1,
    limit: limit + 1,
  })
  const found = rows.filter((row): row is SearchedDeliveryRow & LoggedDeliveryRow => row.artifact_id !== null)
  const page = pageOf(found, limit, (row) => row.receive_number)
  const { floor } = rows[0]!
  const endsEarly = page.nextCursor === null && floor !== '0'
  const reached = endsEarly
    ? await readReceivedAt.first(context.pool, { companyId, receiveNumber: floor })
    : undefined
  return {
    items: page.items.map(toLoggedDelivery),
    nextCursor: endsEarly ? Buffer.from(floor).toString('base64url') : page.nextCursor,
    searchedTo: reached?.received_at ?? null,
    count: before === null ? await countFiltered(context, companyId, filter, planned) : null,
  }
}

async function planSearch(
  { pool }: Pick<Context, 'pool'>,
  companyId: string,
  filter: DeliveryFilter,
): Promise<PlannedSearch> {
  const { sourceId, sandbox, channel, state, fromMs, toMs, search: prefix } = filter
  const bounds = await receiptBounds({ pool }, companyId, filter)
  const artifactId = prefix !== null && uuidPattern.test(prefix) ? prefix.toLowerCase() : null
  const params = {
    companyId,
    sourceId,
    sandbox,
    channel,
    state,
    from: fromMs === null ? null : new Date(fromMs).toISOString(),
    to: toMs === null ? null : new Date(toMs).toISOString(),
    prefix,
    above: bounds.above,
    artifactId,
  }
  const planned = (search: DeliverySearch, isExact: boolean): PlannedSearch => {
    return { search, params, before: bounds.before, isExact }
  }
  if (prefix !== null) {
    const countMax = keyMatchesMax + 1
    const matches = await countKeyMatches.first(pool, { companyId, sourceId, sandbox, prefix, countMax })
    if (artifactId !== null || matches!.deliveries < countMax)
      return planned(searches.byKey, false)
    return planned(searches.byReceipt, false)
  }
  const isPlain = channel === null && fromMs === null && toMs === null
  if (state === 'queued') return planned(searches.queued, false)
  if (state === 'unreadable' || state === 'refused') {
    return planned(searches[state], isPlain && sandbox === null)
  }
  return planned(searches.byReceipt, isPlain && state === null)
}

/** The receive numbers that what was received between two instants lies between. */
async function receiptBounds(
  { pool }: Pick<Context, 'pool'>,
  companyId: string,
  { fromMs, toMs }: DeliveryFilter,
): Promise<{ above: string; before: string }> {
  if (fromMs === null && toMs === null) return { above: '0', before: beforeAll }
  const idAt = (ms: number): string => lowestUuidv7(Math.max(0, ms))
  const bounds = await readReceiptBounds.first(pool, {
    companyId,
    fromId: fromMs === null ? null : idAt(fromMs - receiptSlackMs),
    toId: toMs === null ? null : idAt(toMs + receiptSlackMs),
  })
  return { above: bounds?.above ?? '0', before: bounds?.before ?? beforeAll }
}

async function countFiltered(
  { pool }: Pick<Context, 'pool'>,
  companyId: string,
  { sourceId, sandbox }: DeliveryFilter,
  { search, params, before, isExact }: PlannedSearch,
): Promise<DeliveryCount> {
  const countMax = countedMax + 1
  if (isExact && search === searches.byReceipt) {
    const counted = await countDeliveries.first(pool, { companyId, sourceId, sandbox, countMax })
    return atMost(counted!.deliveries, false)
  }
  const counted = await search.count.first(pool, {
    ...params,
    before,
    examinedMax: countMax,
    shareMin: 1,
    limit: countMax,
  })
  return atMost(counted!.deliveries, counted!.floor !== '0')
}

function atMost(deliveries: number, more: boolean): DeliveryCount {
  return { deliveries: Math.min(deliveries, countedMax), more: more || deliveries > countedMax }
}
