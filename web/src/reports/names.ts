import { useTranslation } from 'react-i18next'
import { useFormat } from '../company/use-format.ts'
import { type Grain, monthName, weekOf } from '../language/format-day.ts'
import { capital } from './capital.ts'
import { isolate } from '../language/isolate.ts'

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

export function useNames(): Names {
  const { t, i18n } = useTranslation('reports')
  const format = useFormat()
  const words = t('numbers').split(' ')
  return {
    metric: (key, given) => (key === 'revenue' || key === 'active_users' ? t(`metrics.${key}`) : given),
    unit: (unit) => (unit === 'SEK' || unit === 'count' ? t(`units.${unit}`) : unit),
    value: (label, value) => (value === '' ? t('withoutLabel', { label: isolate(label) }) : value),
    period: (start, grain) => format.periodShort(start, grain),
    // Swedish has no capitals there.
    periodAtStart: (start, grain) => {
      const name = format.periodShort(start, grain)
      return i18n.language === 'sv' ? name : capital(name)
    },
    periodOfYear: (start, grain) => {
      if (grain === 'day') return format.day(start)
      const year = grain === 'week' ? weekOf(start).year : start.slice(0, 4)
      const isSplit = grain === 'week' && i18n.language !== 'sv'
      return `${format.periodShort(start, grain)}${isSplit ? ',' : ''} ${year}`
    },
    periodInTable: (start, grain) => {
      if (grain !== 'month') return format.period(start, grain)
      return `${monthName(i18n.language, Number(start.slice(5, 7)), 'short')} ${start.slice(0, 4)}`
    },
    dayOf: (instant) => {
      const day = format.today(Date.parse(instant))
      return format.dayRange(day, day)
    },
    inWords: (count) => words[count] ?? format.count(count),
  }
}
