import type { ApiRequest } from '../api/call-api.ts'
import { type FigureSearch, parseFigureSearch } from '../company/figure-address.ts'
import { defined } from '../company/defined.ts'
import { addDays } from '../language/format-day.ts'
import { type RawSearch, readDay, readOneOf, readText } from '../ui/search-params.ts'

export const deliveryStates = ['queued', 'parsed', 'unreadable', 'refused'] as const
export const callChannels = ['push', 'webhook', 'read'] as const
export const deliveryKinds = ['production', 'test'] as const

/** Ranges that end today, by how many days before it they begin; undefined for no limit. */
const rangeDays = { today: 0, '7d': 6, '30d': 29, '365d': 364, all: undefined } as const

/** `days`: from the address's first day to its last. */
export const ranges = ['today', '7d', '30d', '365d', 'all', 'days'] as const
export type Range = (typeof ranges)[number]

/** The query of the deliveries' address. */
export interface DeliveriesSearch {
  /** The other tab: the refused calls. */
  tab?: 'calls' | undefined
  /** Shows the last delivery of every source, not of the first few. */
  sources?: 'all' | undefined
  source?: string | undefined
  state?: (typeof deliveryStates)[number] | undefined
  channel?: (typeof callChannels)[number] | undefined
  kind?: (typeof deliveryKinds)[number] | undefined
  range?: Range | undefined
  /** First and last day, both inclusive. */
  from?: string | undefined
  to?: string | undefined
  search?: string | undefined
}

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The most that the service searches for. */
export const searchCharactersMax = 200

export function parseDeliveriesSearch(search: RawSearch): DeliveriesSearch {
  const source = readText(search, 'source')
  return {
    tab: readOneOf(search, 'tab', ['calls']),
    sources: readOneOf(search, 'sources', ['all']),
    source: source !== undefined && idPattern.test(source) ? source.toLowerCase() : undefined,
    state: readOneOf(search, 'state', deliveryStates),
    channel: readOneOf(search, 'channel', callChannels),
    kind: readOneOf(search, 'kind', deliveryKinds),
    range: readOneOf(search, 'range', ranges),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
    search: readText(search, 'search')?.trim().slice(0, searchCharactersMax) || undefined,
  }
}

/** The chosen range, else a month; a search without one reaches as far back as there are deliveries. */
export function getRange({ range, search }: DeliveriesSearch): Range {
  return range ?? (search === undefined ? '30d' : 'all')
}

/** How many filters narrow the list, not counting its range. */
export function countFilters({ source, state, channel, kind, search }: DeliveriesSearch): number {
  return [source, state, channel === 'read' ? undefined : channel, kind, search].filter(Boolean).length
}

/** The first and the last day of the range, in order; either may be open. */
function getDays(search: DeliveriesSearch, today: string): (string | undefined)[] {
  const range = getRange(search)
  if (range === 'days') {
    const { from, to } = search
    return from !== undefined && to !== undefined ? [from, to].toSorted() : [from, to]
  }
  const days = rangeDays[range]
  return [days === undefined ? undefined : addDays(today, -days)]
}

/** The service's query, which excludes its last day. */
export function toApiQuery(
  search: DeliveriesSearch,
  today: string,
): ApiRequest<'GET /console/companies/{company_id}/deliveries'>['query'] {
  const { source, state, channel, kind } = search
  const [from, to] = getDays(search, today)
  return defined({
    source,
    state,
    channel: channel === 'read' ? undefined : channel,
    sandbox: kind && (kind === 'test' ? 'true' : 'false'),
    from,
    to: to && addDays(to, 1),
    search: search.search,
  })
}

/** The query of a delivery's address. With a figure, only the rows that count for it are shown. */
export interface DeliverySearch extends FigureSearch {
  /** Which rows are shown; without it all of them, on a phone those refused. */
  rows?: 'all' | 'refused' | undefined
  /** The dialog with the command that sends a corrected copy is open. */
  curl?: 'open' | undefined
}

export function parseDeliverySearch(search: RawSearch): DeliverySearch {
  return {
    ...parseFigureSearch(search),
    rows: readOneOf(search, 'rows', ['all', 'refused']),
    curl: readOneOf(search, 'curl', ['open']),
  }
}
