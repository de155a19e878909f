import { spreadsheetText } from '../../formats/csv/spreadsheet-text.ts'

/** A file's conventions in a language: header, cell separator and decimal point. */
interface CsvLanguage {
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
}

export type FileLanguage = 'en' | 'sv'

const languages: Record<FileLanguage, CsvLanguage> = {
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
  },
}

type Values = (string | null)[]

/** The parts of a report that a file contains. */
export interface FileReport {
  metric: string
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

/**
 * A report as CSV (RFC 4180) with a byte order mark: one line for each period, oldest first, with the exact digits of each
 * value. A period without a value is an empty cell. Texts are in quotation marks, numbers and dates are not.
 *
 * @param further columns at the end, as they are written
 */
export function writeCsv(
  report: FileReport,
  language: FileLanguage,
  further: readonly [name: string, cells: string[]][] = [],
): string {
  const words = languages[language]
  const { periods } = report
  const number = (value: string | null | undefined): string => (value ?? '').replace('.', words.point)
  const column = (name: string, values: Values | null | undefined): [string, string[]][] =>
    values ? [[spreadsheetText(name), periods.map((_period, place) => number(values[place]))]] : []
  const columns = [
    [spreadsheetText(words.start), periods.map(({ start }) => start)] as const,
    [spreadsheetText(words.end), periods.map(({ end }) => end)] as const,
    ...report.series.flatMap(({ key, values }) =>
      key === null ? [] : column(key === '' ? words.noValue : key, values),
    ),
    ...column(words.other, report.other?.values),
    ...column(words.all, report.totals),
    ...column(words.yearBefore, report.year_before?.totals),
    ...column(words.today, report.vintage_today?.totals),
    ...(periods.some(({ restated }) => restated !== null) && report.totals
      ? column(
          words.was,
          periods.map(({ was }) => was),
        )
      : []),
    [
      spreadsheetText(words.unfinished),
      periods.map(({ finished }) => (finished ? '' : spreadsheetText(words.yes))),
    ] as const,
    ...further,
  ]
  const lines = [
    columns.map(([name]) => name),
    ...periods.map((_period, place) => columns.map(([, cells]) => cells[place]!)),
  ]
  return `\uFEFF${lines.map((cells) => `${cells.join(words.separator)}\r\n`).join('')}`
}

/**
 * The file's name: only letters, digits and hyphens, so that it needs no quoting in a header. It ends in `part` if the file
 * is incomplete, since nothing inside the file can say so.
 */
export function fileName({ metric, periods, window, left_out: leftOut, complete }: FileReport): string {
  const last = periods.at(-1)?.end ?? window.from
  const part = leftOut > 0 || !complete ? '-part' : ''
  return `${metric.replaceAll(/[^a-z0-9]+/gi, '-')}-${window.from}-${last}${part}.csv`
}
