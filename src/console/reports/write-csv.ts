import { spreadsheetText } from '../../formats/csv/spreadsheet-text.ts'

/** A file's conventions in a language: header, cell separator and decimal point. */
export interface FileWords {
  separator: string
  point: string
  start: string
  end: string
  other: string
  all: string
  yearBefore: string
  today: string
  was: string
  unfinished: string
  yes: string
  noValue: string
  readAt: string
  count: string
}

export type FileLanguage = 'en' | 'sv'

export const fileWords: Record<FileLanguage, FileWords> = {
  en: {
    separator: ',',
    point: '.',
    start: 'First day',
    end: 'Last day',
    other: 'Other',
    all: 'All',
    yearBefore: 'All, year before',
    today: 'All, as known today',
    was: 'All, before it was restated',
    unfinished: 'Unfinished',
    yes: 'yes',
    noValue: '(none)',
    readAt: 'Read at',
    count: 'count',
  },
  sv: {
    separator: ';',
    point: ',',
    start: 'Första dag',
    end: 'Sista dag',
    other: 'Övriga',
    all: 'Alla',
    yearBefore: 'Alla, året före',
    today: 'Alla, som det är känt i dag',
    was: 'Alla, före revideringen',
    unfinished: 'Pågår',
    yes: 'ja',
    noValue: '(inget)',
    readAt: 'Hämtat',
    count: 'antal',
  },
}

type Values = (string | null)[]

/** The parts of a report that a file contains. */
export interface FileReport {
  metric: string
  unit: string
  window: { from: string }
  periods: { start: string; end: string; finished: boolean; restated: string | null; was: string | null }[]
  series: { key: string | null; values: Values }[]
  other: { values: Values } | null
  totals: Values | null
  year_before: { totals: Values | null } | null
  vintage_today: { totals: Values | null } | null
  left_out: number
  complete: boolean
}

/** A column of a file: of days, of exact values, or of texts; one cell for each period. */
export interface FileColumn {
  kind: 'day' | 'value' | 'text'
  name: string
  cells: Values
}

/** The columns of a report. Those with values have its unit in their name. */
export function listColumns(report: FileReport, words: FileWords): FileColumn[] {
  const { periods, unit } = report
  const unitWord = unit === 'count' ? words.count : unit
  const column = (name: string, values: Values | null | undefined): FileColumn[] => {
    if (!values) return []
    const cells = periods.map((_period, place) => values[place] ?? null)
    return [{ kind: 'value', name: unitWord === '' ? name : `${name} (${unitWord})`, cells }]
  }
  const was =
    periods.some(({ restated }) => restated !== null) && report.totals
      ? periods.map((each) => each.was)
      : null
  return [
    { kind: 'day', name: words.start, cells: periods.map(({ start }) => start) },
    { kind: 'day', name: words.end, cells: periods.map(({ end }) => end) },
    ...report.series.flatMap(({ key, values }) =>
      key === null ? [] : column(key === '' ? words.noValue : key, values),
    ),
    ...column(words.other, report.other?.values),
    ...column(words.all, report.totals),
    ...column(words.yearBefore, report.year_before?.totals),
    ...column(words.today, report.vintage_today?.totals),
    ...column(words.was, was),
    {
      kind: 'text',
      name: words.unfinished,
      cells: periods.map(({ finished }) => (finished ? null : words.yes)),
    },
  ]
}

/**
 * A report as CSV (RFC 4180) with a byte order mark: one line for each period, oldest first, with the exact digits of each
 * value, and the instant at which it was read. A period without a value is an empty cell. Texts are in quotation marks, numbers
 * and dates are not.
 *
 * @param further columns behind those of the report
 */
export function writeCsv(
  report: FileReport,
  language: FileLanguage,
  readAt: string,
  further: readonly FileColumn[] = [],
): string {
  const words = fileWords[language]
  const columns = [...listColumns(report, words), ...further]
  const toCell = ({ kind, cells }: FileColumn, place: number): string => {
    const cell = cells[place] ?? ''
    if (kind === 'text') return cell === '' ? '' : spreadsheetText(cell)
    return kind === 'value' ? cell.replace('.', words.point) : cell
  }
  const lines = [
    [...columns.map(({ name }) => spreadsheetText(name)), spreadsheetText(words.readAt)],
    ...report.periods.map((_period, place) => [...columns.map((each) => toCell(each, place)), readAt]),
  ]
  return `\uFEFF${lines.map((cells) => `${cells.join(words.separator)}\r\n`).join('')}`
}
