import { compare } from '../decimals/decimal.ts'
import type { Report } from './report-queries.ts'
import { otherSeries, seriesId } from './report-search.ts'
import type { Values } from './chart-model.ts'

/** One row of the chart's legend, and one column of the table. */
export interface ShownSeries {
  /** In addresses; undefined for all together. */
  id: string | undefined
  /** The label's value; null: all, or all others. */
  key: string | null
  kind: 'value' | 'all' | 'other'
  /** How many values of the label are in it. */
  labelValues: number
  /** From 1 to 8; 0 for what has none. */
  colour: number
  values: Values
  rowTotal: string | null
}

const colours = 8

/** The colour that a value of a label has wherever it is shown, unless two that are shown together have the same: FNV-1a. */
function ownColourOf(key: string): number {
  let hash = 2_166_136_261
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 16_777_619)
  }
  return ((hash >>> 0) % colours) + 1
}

/** The colours that labels were given on this visit, so that a value keeps its own in every range. */
const given = new Map<string, Map<string, number>>()

/**
 * For the values of a label that are shown, in their order, no two of them the same. On another visit, and for another
 * reader, they are the same ones again: where values have one colour of their own together, the first by name has it, and
 * each other the next that is free.
 */
export function coloursOf(label: string, keys: readonly string[]): Map<string, number> {
  const known = given.get(label) ?? new Map<string, number>()
  given.set(label, known)
  const shown = new Map<string, number>()
  const taken = new Set<number>()
  const give = (key: string, colour: number): void => {
    shown.set(key, colour)
    taken.add(colour)
    if (!known.has(key)) known.set(key, colour)
  }
  const byName = keys.toSorted()
  const withoutColour = (): string[] => byName.filter((key) => !shown.has(key))
  for (const key of byName) {
    const colour = known.get(key)
    if (colour !== undefined && !taken.has(colour)) give(key, colour)
  }
  for (const key of withoutColour()) {
    if (!taken.has(ownColourOf(key))) give(key, ownColourOf(key))
  }
  for (const key of withoutColour()) {
    let colour = ownColourOf(key)
    for (let tries = 0; tries < colours && taken.has(colour); tries++) colour = (colour % colours) + 1
    give(key, colour)
  }
  return new Map(keys.map((key) => [key, shown.get(key)!]))
}

/** The series of a report, in the order of the stack: all others together are the last. */
export function shownSeries(report: Report): ShownSeries[] {
  const { series, other, by, source_id, metric } = report
  const keys = series.flatMap(({ key }) => (key === null ? [] : [key]))
  const colourOf = coloursOf([source_id, metric, by].join(' '), keys)
  const shown = series.map(({ key, values, row_total }): ShownSeries => ({
    id: key === null ? undefined : seriesId(key),
    key,
    kind: key === null ? 'all' : 'value',
    labelValues: 1,
    colour: key === null ? 1 : colourOf.get(key)!,
    values,
    rowTotal: row_total,
  }))
  if (other === null) return shown
  const { values, row_total, label_values } = other
  return [
    ...shown,
    {
      id: otherSeries,
      key: null,
      kind: 'other',
      labelValues: label_values,
      colour: 0,
      values,
      rowTotal: row_total,
    },
  ]
}

/** Whether the series are stacked: where they add, or there is but one. */
export function isStacked({ combines, series }: Report): boolean {
  return combines === 'sum' || series.length <= 1
}

/** The last day that an unfinished period has figures of; undefined where it is finished, or they are of all of it. */
export function reachesTo({ periods, today }: Report, index: number): string | undefined {
  const period = periods[index]
  if (period === undefined || period.finished || period.known_to === null) return undefined
  return period.known_to <= today ? period.known_to : undefined
}

/** Whether a period that was known at an instant has another total today. */
export function isChangedSince({ totals, vintage_today }: Report, index: number): boolean {
  const [then, now] = [totals?.[index] ?? null, vintage_today?.totals?.[index] ?? null]
  return vintage_today !== null && then !== null && (now === null || compare(then, now) !== 0)
}

/** The period that is read out where none is chosen: the last finished one of which something was said, else the last such. */
export function periodReadOut({ periods, series, totals }: Report): number {
  const saidOf = (index: number): boolean =>
    totals === null ? series.some(({ values }) => values[index] != null) : totals[index] != null
  const finished = periods.findLastIndex((period, index) => period.finished && saidOf(index))
  if (finished >= 0) return finished
  const any = periods.findLastIndex((_period, index) => saidOf(index))
  return any >= 0 ? any : periods.length - 1
}
