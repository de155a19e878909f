import type { TFunction } from 'i18next'
import { type Format, useFormat } from '../company/use-format.ts'
import { metricName } from '../company/metric-name.ts'
import { type Grain, monthName, weekOf } from '../language/format-day.ts'
import { isolate } from '../language/isolate.ts'
import { useLanguage, useTexts } from '../language/language.ts'
import { capital } from './capital.ts'

/** Names and units as the page's language has them. */
export interface Names {
  /** Of a metric that every company knows; of any other the one that was given. */
  metric: (key: string, given: string) => string
  unit: (unit: string) => string
  /** Of a label's value; rows without the label have an empty one. */
  value: (label: string, value: string) => string
  /** Within a sentence, where it is of this year or clear which. */
  period: (start: string, grain: Grain) => string
  /** Where a line begins. */
  periodAtStart: (start: string, grain: Grain) => string
  /** Within a sentence, with its year. */
  periodOfYear: (start: string, grain: Grain) => string
  /** Where there is little room, with its year. */
  periodInTable: (start: string, grain: Grain) => string
  /** The day of an instant, without the year where it is this one. */
  dayOf: (instant: string) => string
  /** How many, in words up to twelve. */
  inWords: (count: number) => string
}

/** One for each format, which is of one language. */
const namesOf = new WeakMap<Format, Names>()

/** The same ones each time, until the language or the year is another. */
export function useNames(): Names {
  const t = useTexts('reports')
  const ofAll = useTexts('translation')
  const language = useLanguage()
  const format = useFormat()
  const names = namesOf.get(format) ?? makeNames(language, format, t, ofAll)
  namesOf.set(format, names)
  return names
}

function makeNames(
  language: string,
  format: Format,
  t: TFunction<'reports'>,
  ofAll: TFunction<'translation'>,
): Names {
  const words = t('numbers').split(' ')
  return {
    metric: (key, given) => metricName(ofAll, key, given),
    unit: (unit) => (unit === 'SEK' || unit === 'count' ? t(`units.${unit}`) : unit),
    value: (label, value) => (value === '' ? t('withoutLabel', { label: isolate(label) }) : value),
    period: (start, grain) => format.periodShort(start, grain),
    // Swedish has no capitals there.
    periodAtStart: (start, grain) => {
      const name = format.periodShort(start, grain)
      return language === 'sv' ? name : capital(name)
    },
    periodOfYear: (start, grain) => {
      if (grain === 'day') return format.day(start)
      const year = grain === 'week' ? weekOf(start).year : start.slice(0, 4)
      const isSplit = grain === 'week' && language !== 'sv'
      return `${format.periodShort(start, grain)}${isSplit ? ',' : ''} ${year}`
    },
    periodInTable: (start, grain) => {
      if (grain !== 'month') return format.period(start, grain)
      return `${monthName(language, Number(start.slice(5, 7)), 'short')} ${start.slice(0, 4)}`
    },
    dayOf: (instant) => {
      const day = format.today(Date.parse(instant))
      return format.dayRange(day, day)
    },
    inWords: (count) => words[count] ?? format.count(count),
  }
}
