import { compare } from '../decimals/decimal.ts'
import type { Values } from './chart/chart-model.ts'
import { isPart } from './period-parts.ts'
import type { Report } from './report-queries.ts'
import { otherSeries, toSeriesId } from './report-search.ts'

/** An entry of the chart's legend and a column of the table. */
export interface ShownSeries {
  /** In addresses; undefined for all together. */
  id: string | undefined
  /** The label's value; null: all, or all others. */
  key: string | null
  kind: 'value' | 'all' | 'other'
  /** How many values of the label it contains. */
  labelValues: number
  /** From 1 to 8; 0 for all others. */
  colour: number
  values: Values
  rowTotal: string | null
  yearBefore: SeriesYear
}

export type SeriesYear = Report['series'][number]['year_before']

const colours = 8

/** The colour of a label's value everywhere, except where it collides with another one: FNV-1a. */
function getOwnColour(key: string): number {
  let hash = 2_166_136_261
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 16_777_619)
  }
  return ((hash >>> 0) % colours) + 1
}

/** The colours that each label's values were given on this visit, so that they keep them in every range. */
const assigned = new Map<string, Map<string, number>>()

/**
 * Gives each value of a label that is shown its own colour, the same on every visit and for every reader: where values share
 * their own colour, the first by name has it, and the others the next free ones.
 */
export function assignColours(label: string, keys: readonly string[]): Map<string, number> {
  const known = assigned.get(label) ?? new Map<string, number>()
  assigned.set(label, known)
  const shown = new Map<string, number>()
  const isFree = (colour: number): boolean => ![...shown.values()].includes(colour)
  const byName = keys.toSorted()
  for (const key of byName) {
    const colour = known.get(key)
    if (colour !== undefined && isFree(colour)) shown.set(key, colour)
  }
  for (const key of byName) {
    const colour = getOwnColour(key)
    if (!shown.has(key) && isFree(colour)) shown.set(key, colour)
  }
  for (const key of byName) {
    let colour = getOwnColour(key)
    for (let tries = 0; tries < colours && !isFree(colour); tries++) colour = (colour % colours) + 1
    if (!shown.has(key)) shown.set(key, colour)
  }
  for (const [key, colour] of shown) if (!known.has(key)) known.set(key, colour)
  return new Map(keys.map((key) => [key, shown.get(key)!]))
}

/** The series of a report, in the order of the stack. */
export function toShownSeries({ series, other, by, source_id, metric }: Report): ShownSeries[] {
  const keys = series.flatMap(({ key }) => key ?? [])
  const assigned = assignColours([source_id, metric, by].join(' '), keys)
  const shown = series.map(({ key, values, row_total: rowTotal, year_before: yearBefore }): ShownSeries =>
    key === null
      ? { id: undefined, key, kind: 'all', labelValues: 1, colour: 1, values, rowTotal, yearBefore }
      : {
          id: toSeriesId(key),
          key,
          kind: 'value',
          labelValues: 1,
          colour: assigned.get(key)!,
          values,
          rowTotal,
          yearBefore,
        },
  )
  if (other === null) return shown
  const { values, row_total: rowTotal, year_before: yearBefore, label_values: labelValues } = other
  const rest = { id: otherSeries, key: null, kind: 'other', labelValues, colour: 0 } as const
  return [...shown, { ...rest, values, rowTotal, yearBefore }]
}

/** Whether the series are stacked: where they add, or there is only one. */
export function isStacked({ combines, series }: Report): boolean {
  return combines === 'sum' || series.length <= 1
}

/** The last day with figures in an unfinished period; undefined where they cover all of it. */
export function getReach({ periods, today }: Report, index: number): string | undefined {
  const period = periods[index]
  if (period === undefined || period.finished || period.known_to === null) return undefined
  return period.known_to <= today ? period.known_to : undefined
}

/** Whether a period of a report as known at an instant has a different total today. */
export function isChangedSince({ totals, vintage_today }: Report, index: number): boolean {
  const [then, now] = [totals?.[index] ?? null, vintage_today?.totals?.[index] ?? null]
  return vintage_today !== null && then !== null && (now === null || compare(then, now) !== 0)
}

/** Whether a period has a figure, in total or in any series. */
export function hasFigure({ series, totals }: Report, index: number): boolean {
  return totals === null ? series.some(({ values }) => values[index] != null) : totals[index] != null
}

/** Whether a period is marked as restated: where it was corrected, and, if so chosen, where it only grew while it ran. */
export function isMarkedRestated({
  report,
  index,
  showsGrown,
}: {
  report: Report
  index: number
  showsGrown: boolean
}): boolean {
  const { restated } = report.periods[index]!
  return restated === 'corrected' || (showsGrown && restated === 'grew')
}

/** Whether a period is compared with a part of the one a year before. */
export function isPartOfYear({ year_before, grain }: Report, index: number): boolean {
  const [first, last] = [year_before?.starts[index], year_before?.ends[index]]
  return first != null && last != null && isPart(first, last, grain)
}

/** Whether a period has not begun, so that its place stays empty. */
export function isAhead({ periods, today }: Report, index: number): boolean {
  return periods[index]!.start > today
}

/** The period that is read out where none is chosen: the last finished one with a figure, else the last with one. */
export function getReadOut(report: Report): number {
  const { periods } = report
  const finished = periods.findLastIndex((period, index) => period.finished && hasFigure(report, index))
  if (finished >= 0) return finished
  const any = periods.findLastIndex((_period, index) => hasFigure(report, index))
  return any >= 0 ? any : periods.length - 1
}
