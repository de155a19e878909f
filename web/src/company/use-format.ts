import { use } from 'react'
import * as days from '../language/format-day.ts'
import * as instants from '../language/format-instant.ts'
import * as numbers from '../language/format-number.ts'
import { useLanguage } from '../language/language.ts'
import { CompanyContext } from './company.ts'

type Grain = days.Grain

export type Format = ReturnType<typeof createFormat>

/** One for each language and time zone, shared by all of a page. */
const formats = new Map<string, { format: Format; createdAt: number }>()
/** How long a format assumes the same year. */
const lifetimeMs = 3_600_000

/**
 * Writes values in the page's language, instants in the company's time zone; on a page of no company, in the device's. The same
 * object until the language or the year changes.
 */
export function useFormat(): Format {
  return getFormat(useLanguage(), use(CompanyContext)?.time_zone)
}

function getFormat(language: string, zone: string | undefined): Format {
  const key = `${language} ${zone}`
  const now = Date.now()
  const known = formats.get(key)
  if (known !== undefined && now - known.createdAt < lifetimeMs) return known.format
  const format = createFormat(language, zone, Number(instants.dayAt(now, zone).slice(0, 4)))
  formats.set(key, { format, createdAt: now })
  return format
}

/** @param thisYear days of it are written without the year where that is clear */
function createFormat(language: string, zone: string | undefined, thisYear: number) {
  return {
    /** A decimal string, digit by digit. */
    number: (value: string) => numbers.formatNumber(language, value),
    /** With a plus sign too, as for differences. */
    signed: (value: string) => numbers.formatNumber(language, value, { sign: true }),
    /** A metric's value, digit by digit; amounts of money with two decimals. */
    figure: (value: string, unit: string, options?: { sign: boolean }) =>
      numbers.formatFigure(language, value, unit, options),
    count: (count: number) => numbers.formatCount(language, count),
    percent: (percent: string) => numbers.formatPercent(language, percent),
    change: (value: string | null | undefined, base: string | null | undefined, unit?: string) =>
      numbers.formatChange(language, value, base, unit),
    bytes: (bytes: number) => numbers.formatBytes(language, bytes),
    day: (day: string) => days.formatDay(language, day),
    dayRange: (first: string, last: string) => days.formatDayRange(language, first, last, thisYear),
    period: (start: string, grain: Grain) => days.formatPeriod(language, start, grain, thisYear),
    periodShort: (start: string, grain: Grain) => days.formatPeriodShort(language, start, grain),
    tick: (start: string, grain: Grain) => days.formatTick(language, start, grain),
    instant: (instant: string) => instants.formatInstant(language, instant, zone),
    instantDay: (instant: string) => days.formatDay(language, instants.dayAt(instant, zone)),
    time: (instant: string) => instants.formatTime(instant, zone),
    timeWithSeconds: (instant: string) => instants.formatTime(instant, zone, { seconds: true }),
    /** @param now from `useNow`, so that it is renewed */
    near: (instant: string, now: number) => instants.formatNear(language, instant, now, zone),
    ago: (instant: string, now: number) => instants.formatAgo(language, instant, now),
    ahead: (count: number, unit: 'second' | 'day') => instants.formatAhead(language, count, unit),
    length: (ms: number) => instants.formatLength(language, ms),
    rhythm: (gapS: number) => instants.formatRhythm(language, gapS),
    /** The company's day. */
    today: (now: number) => instants.dayAt(now, zone),
  }
}
