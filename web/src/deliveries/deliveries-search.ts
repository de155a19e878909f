import type { ApiRequest } from '../api/call-api.ts'
import { addDays } from '../language/format-day.ts'
import { type RawSearch, readDay, readOneOf, readText } from '../ui/search-params.ts'

export const deliveryStates = ['queued', 'parsed', 'unreadable', 'refused'] as const
export const callChannels = ['push', 'webhook', 'read'] as const
export const deliveryKinds = ['production', 'test'] as const

/** Ranges that go on to now, by how many days they begin before today; undefined for all that there is. */
const rangeDays = { today: 0, '7d': 6, '30d': 29, '365d': 364, all: undefined } as const

/** `days`: the two days that the address says. */
export const ranges = ['today', '7d', '30d', '365d', 'all', 'days'] as const
export type Range = (typeof ranges)[number]

/** What the address of the deliveries says. */
export interface DeliveriesSearch {
  /** The other tab: the refused calls. */
  tab?: 'calls'
  /** The last delivery of every source is shown, not of the first few. */
  sources?: 'all'
  source?: string
  state?: (typeof deliveryStates)[number]
  channel?: (typeof callChannels)[number]
  kind?: (typeof deliveryKinds)[number]
  range?: Range
  /** First and last day, both of them counted. */
  from?: string
  to?: string
  search?: string
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The most that the service searches for. */
export const searchCharactersMax = 200

/** As `parseSearch` gives it: what an address says that there is not is left out. */
export function parseDeliveriesSearch(search: RawSearch): DeliveriesSearch {
  const source = readText(search, 'source')
  const text = readText(search, 'search')?.trim().slice(0, searchCharactersMax)
  const found: { [Name in keyof DeliveriesSearch]: DeliveriesSearch[Name] | undefined } = {
    tab: readOneOf(search, 'tab', ['calls'] as const),
    sources: readOneOf(search, 'sources', ['all'] as const),
    source: source !== undefined && idForm.test(source) ? source.toLowerCase() : undefined,
    state: readOneOf(search, 'state', deliveryStates),
    channel: readOneOf(search, 'channel', callChannels),
    kind: readOneOf(search, 'kind', deliveryKinds),
    range: readOneOf(search, 'range', ranges),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
    search: text === '' ? undefined : text,
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== undefined),
  ) as DeliveriesSearch
}

/** The range that is meant: a month, unless something is searched for, which may be older. */
export function rangeOf({ range, search }: DeliveriesSearch): Range {
  return range ?? (search === undefined ? '30d' : 'all')
}

/** The filters that narrow the list, beside its range and its source. */
export function filtersOf({ source, state, channel, kind, search }: DeliveriesSearch): number {
  return [source, state, channel === 'read' ? undefined : channel, kind, search].filter(Boolean).length
}

/** Two days of which the first is not behind the second; what is missing is open. */
export function daysOf(search: DeliveriesSearch, today: string): { from?: string; to?: string } {
  const range = rangeOf(search)
  if (range !== 'days') {
    const days = rangeDays[range]
    return days === undefined ? {} : { from: addDays(today, -days) }
  }
  const { from, to } = search
  const isReversed = from !== undefined && to !== undefined && from > to
  const [first, last] = isReversed ? [to, from] : [from, to]
  return { ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) }
}

/** What is asked of the service, of which the last day is left out itself. */
export function queryOf(
  { source, state, channel, kind, ...search }: DeliveriesSearch,
  today: string,
): ApiRequest<'GET /console/companies/{company_id}/deliveries'>['query'] {
  const { from, to } = daysOf(search, today)
  return {
    ...(source !== undefined && { source }),
    ...(state !== undefined && { state }),
    ...(channel !== undefined && channel !== 'read' && { channel }),
    ...(kind !== undefined && { sandbox: kind === 'test' ? 'true' : 'false' }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to: addDays(to, 1) }),
    ...(search.search !== undefined && { search: search.search }),
  }
}

/** What an address says, less one name of it. */
export function without<Search extends object, Name extends keyof Search>(
  search: Search,
  name: Name,
): Omit<Search, Name> {
  return Object.fromEntries(Object.entries(search).filter(([each]) => each !== name)) as Omit<Search, Name>
}

/** What the address of one delivery says. */
export interface DeliverySearch {
  /** Which of its rows are shown; on a phone the refused ones at first, else all. */
  rows?: 'all' | 'refused'
  /** The command that sends a mended copy is open. */
  curl?: 'open'
}

export function parseDeliverySearch(search: RawSearch): DeliverySearch {
  const rows = readOneOf(search, 'rows', ['all', 'refused'] as const)
  const curl = readOneOf(search, 'curl', ['open'] as const)
  return { ...(rows !== undefined && { rows }), ...(curl !== undefined && { curl }) }
}
