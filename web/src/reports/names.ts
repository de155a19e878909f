import type { TFunction } from 'i18next'
import { metricName } from '../company/metric-name.ts'
import { type Format, useFormat } from '../company/use-format.ts'
import { type Grain, monthName, toIsoWeek } from '../language/format-day.ts'
import { capitalize } from '../language/capitalize.ts'
import { useLanguage, useTexts } from '../language/language.ts'
import { isPart } from './period-parts.ts'
import type { Report } from './report-queries.ts'

/** One for each format, which belongs to one language. */
const known = new WeakMap<Format, ReturnType<typeof createNames>>()

/** Names and units in the page's language. The same object until the language or the year changes. */
export function useNames() {
  const t = useTexts('reports')
  const shared = useTexts('translation')
  const language = useLanguage()
  const format = useFormat()
  const names = known.get(format) ?? createNames(language, format, t, shared)
  known.set(format, names)
  return names
}

function createNames(
  language: string,
  format: Format,
  t: TFunction<'reports'>,
  shared: TFunction<'translation'>,
) {
  const names = {
    /** A metric's name: of a known one in the page's language, of any other as given. */
    metric: (key: string, given: string) => metricName(shared, key, given),
    unit: (unit: string) => (unit === 'SEK' || unit === 'count' ? t(`units.${unit}`) : unit),
    /** Within a sentence, without the year. */
    period: format.periodShort,
    /** At the start of a line. Swedish names of months have no capital there. */
    periodAtStart: (start: string, grain: Grain) => {
      const name = format.periodShort(start, grain)
      return language === 'sv' ? name : capitalize(name)
    },
    /** Within a sentence, with the year. */
    periodOfYear: (start: string, grain: Grain) => {
      if (grain === 'day') return format.day(start)
      const year = grain === 'week' ? toIsoWeek(start).year : start.slice(0, 4)
      const isSplit = grain === 'week' && language !== 'sv'
      return `${format.periodShort(start, grain)}${isSplit ? ',' : ''} ${year}`
    },
    /** What a period is compared with a year before, within a sentence: the period, or the days of it that have passed. */
    yearBefore: (
      year: { starts: (string | null)[]; ends: (string | null)[] },
      index: number,
      grain: Grain,
    ) => {
      const [first, last] = [year.starts[index], year.ends[index]]
      if (first == null || last == null) return undefined
      return isPart(first, last, grain) ? format.dayRange(first, last) : names.periodOfYear(first, grain)
    },
    /** Short, with the year. */
    periodInTable: (start: string, grain: Grain) => {
      if (grain !== 'month') return format.period(start, grain)
      return `${monthName(language, Number(start.slice(5, 7)), 'short')} ${start.slice(0, 4)}`
    },
    /** The day of an instant, without the year where it is the current one. */
    toDay: (instant: string) => {
      const day = format.today(Date.parse(instant))
      return format.dayRange(day, day)
    },
  }
  return names
}

/** The text where a report has no figure. */
export function useMissingText({ as_of }: Pick<Report, 'as_of'>): string {
  return useTexts('reports')(as_of === null ? 'noFigure' : 'notKnown')
}
