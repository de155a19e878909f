import { invalidArgument } from '../../../platform/http/errors/errors.ts'
import { queryText } from '../../../platform/http/requests/query-text.ts'
import { refuseLostPlus } from '../../../platform/reads/read-instant.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'
import { parseTimestamp, type Instant } from '../../../formats/values/timestamp.ts'

/** Deliveries that are counted for one filter; beyond it the page says "more". */
export const countedMax = 10_000

/** Characters of a searched text: the maximum of a key. */
export const searchCharactersMax = 200

/** A filter of a company's deliveries; null members do not filter. */
export interface DeliveryFilter {
  sourceId: string | null
  /** `refused`: parsed, with refused rows. */
  state: 'queued' | 'parsed' | 'unreadable' | 'refused' | null
  channel: 'push' | 'webhook' | null
  sandbox: boolean | null
  /** Received at this instant or later, milliseconds since 1970. */
  fromMs: number | null
  /** Received before this instant. */
  toMs: number | null
  /** An `artifact_id`, or the beginning of a key. */
  search: string | null
}

export const everyDelivery: DeliveryFilter = {
  sourceId: null,
  state: null,
  channel: null,
  sandbox: null,
  fromMs: null,
  toMs: null,
  search: null,
}

/** The query of a list, as its contract validated it. */
export interface DeliveryFilterQuery {
  source?: string
  state?: NonNullable<DeliveryFilter['state']>
  channel?: NonNullable<DeliveryFilter['channel']>
  sandbox?: 'true' | 'false'
  from?: string
  to?: string
  search?: string
}

/** The first and the last millisecond of RFC 3339. */
const [firstMs, lastMs] = [-62_135_596_800_000, 253_402_300_799_999]

/** Deliveries are received at whole milliseconds, so a bound between two is rounded up. */
function wholeMs({ seconds, fraction }: Instant): number {
  return seconds * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0')) + (fraction.length > 3 ? 1 : 0)
}

/** An instant, or a day's midnight in the company's time zone, in milliseconds. */
function readMoment(text: string | undefined, name: string, timeZone: string): number | null {
  if (text === undefined) return null
  const read = parseTimestamp(text)
  if (typeof read === 'string') {
    refuseLostPlus(text, name)
    throw invalidArgument(
      `${name} is neither a day, such as 2026-01-31, nor a time with an offset, such as 2026-01-31T12:00:00Z.`,
      name,
    )
  }
  const ms =
    read.kind === 'date' ? new TimeZone(timeZone).toMidnight(read.day) * 1_000 : wholeMs(read.instant)
  return Math.min(Math.max(ms, firstMs), lastMs)
}

/**
 * The filter of a query.
 *
 * @throws 400 with field `from`, `to` or `search`
 */
export function readDeliveryFilter(query: DeliveryFilterQuery, timeZone: string): DeliveryFilter {
  const fromMs = readMoment(query.from, 'from', timeZone)
  const toMs = readMoment(query.to, 'to', timeZone)
  if (fromMs !== null && toMs !== null && fromMs >= toMs) {
    throw invalidArgument('from is not before to.', 'from')
  }
  return {
    sourceId: query.source ?? null,
    state: query.state ?? null,
    channel: query.channel ?? null,
    sandbox: query.sandbox === undefined ? null : query.sandbox === 'true',
    fromMs,
    toMs,
    search: queryText({ search: query.search }, 'search') ?? null,
  }
}
