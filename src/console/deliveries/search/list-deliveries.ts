import type { Context } from '../../../context.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { numberRows, toPage, type Page, type PageRequest } from '../../../platform/http/pagination.ts'
import { lowestUuidv7 } from '../../../formats/values/uuidv7.ts'
import { uuidPattern } from '../../../formats/values/uuid-pattern.ts'
import { countedMax, type DeliveryFilter } from './delivery-filter.ts'
import { toLoggedDelivery, type LoggedDelivery } from '../logged-delivery.ts'
import {
  countKeyMatches,
  readReceiptBounds,
  readReceivedAt,
  searches,
  type DeliverySearch,
  type SearchedDeliveryRow,
} from './queries.ts'
import type { SearchParams } from './candidate-queries.ts'
import type { LoggedDeliveryRow } from '../queries.ts'

/**
 * Deliveries that are examined for one page of a filtered list. If they do not fill it, the page ends early and its cursor
 * continues, so a filter that matches few of millions takes no longer than any other.
 */
const examinedMax = 10_000

/** The same if each is looked up separately, since each may need a read from disk. */
const lookedUpMax = 6_000

/** Deliveries whose key begins with the searched text; with more, the search goes in the order of receipt. */
const keyMatchesMax = 5_000

/**
 * How far receive numbers and the times in ids may be out of step, in milliseconds: a delivery is stored within seconds of
 * the creation of its id.
 */
const receiptSlackMs = 60_000

/** The number of deliveries that pass a filter. */
interface DeliveryCount {
  deliveries: number
  more: boolean
}

export interface DeliveryList extends Page<LoggedDelivery> {
  /** Over all pages; null on pages after the first. */
  count: DeliveryCount | null
  /** Where the search ended, if the page is not full. */
  searchedTo: Date | null
}

/** Above every receive number. */
const beforeAll = '9223372036854775807'

/** The cheapest search for a filter, and its parameters. */
interface PlannedSearch {
  search: DeliverySearch
  params: SearchParams
  /** The filter names at most the source and the state. */
  isPlain: boolean
  /** Everything examined passes, so no more is examined than shown. */
  isExact: boolean
}

/**
 * A company's deliveries that pass a filter, the latest first [parse.states].
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listDeliveries(
  { pool }: Pick<Context, 'pool'>,
  companyId: string,
  filter: DeliveryFilter,
  request: PageRequest = {},
): Promise<DeliveryList> {
  const { before, limit } = numberRows(request)
  const plan = await planSearch(pool, companyId, filter)
  const { search, params, isPlain, isExact } = plan
  const isBehind = before !== null && BigInt(before) < BigInt(params.before)
  const rows = await search.list.rows(pool, {
    ...params,
    before: isBehind ? before : params.before,
    examinedMax: isExact ? 0 : search.looksUp && !isPlain ? lookedUpMax : examinedMax,
    limit: limit + 1,
  })
  const found = rows.filter((row): row is SearchedDeliveryRow & LoggedDeliveryRow => row.artifact_id !== null)
  const page = toPage(found, limit, (row) => row.receive_number)
  const { floor } = rows[0]!
  const endsEarly = page.nextCursor === null && floor !== '0'
  const reached = endsEarly
    ? await readReceivedAt.first(pool, { companyId, receiveNumber: floor })
    : undefined
  // If the page is not full, everything examined is on it.
  const onPage = page.nextCursor === null ? { deliveries: found.length, more: endsEarly } : undefined
  return {
    items: page.items.map(toLoggedDelivery),
    nextCursor: endsEarly ? Buffer.from(floor).toString('base64url') : page.nextCursor,
    searchedTo: reached?.received_at ?? null,
    count: before === null ? (onPage ?? (await countDeliveries(pool, plan, found))) : null,
  }
}

async function planSearch(
  pool: Queryable,
  companyId: string,
  filter: DeliveryFilter,
): Promise<PlannedSearch> {
  const { sourceId, sandbox, channel, state, fromMs, toMs, search: prefix } = filter
  const params: SearchParams = {
    companyId,
    sourceId,
    sandbox,
    channel,
    state,
    from: fromMs === null ? null : new Date(fromMs).toISOString(),
    to: toMs === null ? null : new Date(toMs).toISOString(),
    prefix,
    artifactId: prefix !== null && uuidPattern.test(prefix) ? prefix.toLowerCase() : null,
    ...(await receiptBounds(pool, companyId, filter)),
  }
  const ofKind = channel === null && fromMs === null && toMs === null && prefix === null
  if (prefix !== null && (await isByKey(pool, params))) {
    return { search: searches.byKey, params, isPlain: false, isExact: false }
  }
  const search = state !== null ? searches[state] : ofKind ? searches.byReceipt : searches.byReceiptFiltered
  const isPlain = ofKind && (state === null || sandbox === null)
  // The backlog has the deliveries of all sources in one order.
  const isExact = isPlain && search.isExact && (state !== 'queued' || sourceId === null)
  return { search, params, isPlain, isExact }
}

/** Whether few enough keys begin with the searched text to examine all of them; an id is always looked up. */
async function isByKey(pool: Queryable, params: SearchParams): Promise<boolean> {
  if (params.artifactId !== null) return true
  const matches = await countKeyMatches.first(pool, { ...params, countMax: keyMatchesMax + 1 })
  return matches!.deliveries <= keyMatchesMax
}

/** UUIDs of version 7 begin at 1970. */
function idAt(ms: number): string {
  return lowestUuidv7(Math.max(0, ms))
}

/** The bounds of the receive numbers of what was received between two instants. */
async function receiptBounds(
  pool: Queryable,
  companyId: string,
  { fromMs, toMs }: DeliveryFilter,
): Promise<{ above: string; before: string }> {
  if (fromMs === null && toMs === null) return { above: '0', before: beforeAll }
  const bounds = await readReceiptBounds.first(pool, {
    companyId,
    fromId: fromMs === null ? null : idAt(fromMs - receiptSlackMs),
    toId: toMs === null ? null : idAt(toMs + receiptSlackMs),
  })
  return { above: bounds?.above ?? '0', before: bounds?.before ?? beforeAll }
}

/** The number of matches: those found, and a count of what lies below them. */
async function countDeliveries(
  pool: Queryable,
  { search, params, isPlain }: PlannedSearch,
  found: readonly LoggedDeliveryRow[],
): Promise<DeliveryCount> {
  const atMost = search.looksUp && !isPlain ? lookedUpMax : countedMax + 1
  const counted = await search.count.first(pool, {
    ...params,
    before: found.at(-1)!.receive_number,
    isPlain,
    examinedMax: atMost,
  })
  const deliveries = found.length + counted!.deliveries
  return {
    deliveries: Math.min(deliveries, countedMax),
    more: deliveries > countedMax || counted!.examined >= atMost,
  }
}
