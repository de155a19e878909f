import { use } from 'react'
import {
  formatDay,
  formatDayRange,
  formatPeriod,
  formatPeriodShort,
  formatTick,
  type Grain,
} from '../language/format-day.ts'
import {
  dayAt,
  formatAgo,
  formatInstant,
  formatInstantDay,
  formatLength,
  formatNear,
  formatRhythm,
  formatTime,
} from '../language/format-instant.ts'
import {
  type Change,
  formatBytes,
  formatChange,
  formatCount,
  formatNumber,
  formatPercent,
} from '../language/format-number.ts'
import { useLanguage } from '../language/language.ts'
import { CompanyContext } from './company.ts'

/** How the page's language writes things, instants in the company's time zone (on a page of no company, the device's). */
export interface Format {
  /** A decimal string, digit by digit. */
  number: (value: string) => string
  /** With its plus too, as of differences. */
  signed: (value: string) => string
  count: (count: number) => string
  percent: (percent: string) => string
  change: (value: string | null | undefined, base: string | null | undefined) => Change | undefined
  bytes: (bytes: number) => string
  day: (day: string) => string
  dayRange: (first: string, last: string) => string
  period: (start: string, grain: Grain) => string
  periodShort: (start: string, grain: Grain) => string
  tick: (start: string, grain: Grain) => string
  instant: (instant: string) => string
  /** Written out, without the time. */
  instantDay: (instant: string) => string
  time: (instant: string) => string
  timeWithSeconds: (instant: string) => string
  /** `now`: of `useNow`, so that it is renewed. */
  near: (instant: string, now: number) => string
  ago: (instant: string, now: number) => string
  length: (ms: number) => string
  rhythm: (gapS: number) => string
  /** The day that it is for the company. */
  today: (now: number) => string
}

/** One for each language and time zone, which all of a page share. */
const formats = new Map<string, { format: Format; madeAt: number }>()
/** For so long a format takes it to be the same year. */
const heldMs = 3_600_000

/** The same one each time, until the language or the year is another. */
export function useFormat(): Format {
  return formatFor(useLanguage(), use(CompanyContext)?.time_zone)
}

function formatFor(language: string, zone: string | undefined): Format {
  const key = `${language} ${zone}`
  const now = Date.now()
  const known = formats.get(key)
  if (known !== undefined && now - known.madeAt < heldMs) return known.format
  const format = makeFormat(language, zone, Number(dayAt(now, zone).slice(0, 4)))
  formats.set(key, { format, madeAt: now })
  return format
}

/** @param thisYear days of it are written without the year where that is clear */
function makeFormat(language: string, zone: string | undefined, thisYear: number): Format {
  return {
    number: (value) => formatNumber(language, value),
    signed: (value) => formatNumber(language, value, { sign: true }),
    count: (count) => formatCount(language, count),
    percent: (percent) => formatPercent(language, percent),
    change: (value, base) => formatChange(language, value, base),
    bytes: (bytes) => formatBytes(language, bytes),
    day: (day) => formatDay(language, day),
    dayRange: (first, last) => formatDayRange(language, first, last, thisYear),
    period: (start, grain) => formatPeriod(language, start, grain, thisYear),
    periodShort: (start, grain) => formatPeriodShort(language, start, grain),
    tick: (start, grain) => formatTick(language, start, grain),
    instant: (instant) => formatInstant(language, instant, zone),
    instantDay: (instant) => formatInstantDay(language, instant, zone),
    time: (instant) => formatTime(instant, zone),
    timeWithSeconds: (instant) => formatTime(instant, zone, { seconds: true }),
    near: (instant, now) => formatNear(language, instant, now, zone),
    ago: (instant, now) => formatAgo(language, instant, now),
    length: (ms) => formatLength(language, ms),
    rhythm: (gapS) => formatRhythm(language, gapS),
    today: (now) => dayAt(now, zone),
  }
}
