/** What runs in the worker threads of `routes.ts`: a report as a workbook. */
import writeExcelFile, { type CellObject, type SheetData } from 'write-excel-file/node'
import type { Period } from '../../formats/values/period.ts'
import { fileWords, listColumns, type FileColumn, type FileLanguage, type FileReport } from './write-csv.ts'

/** A spreadsheet's numbers have as many digits as are exact in it; a longer value is written as text. */
const digitsMax = 15

/** What a workbook says of itself. */
export interface XlsxTask {
  report: FileReport & {
    name: string
    source_id: string
    source_name: string
    window: { from: string; to: string }
    grain: Period
    where: Record<string, string[]>
    as_of: string | null
    time_zone: string
  }
  /** Columns behind those of the report. */
  further: FileColumn[]
  company: { name: string; orgnr: string }
  language: FileLanguage
  /** RFC 3339. */
  readAt: string
  /** Of the report's page. */
  address: string
}

const texts = {
  en: {
    about: 'About',
    figures: 'Figures',
    company: 'Company',
    orgnr: 'Organisation number',
    source: 'Source',
    metric: 'Metric',
    unit: 'Unit',
    range: 'Days',
    to: 'to',
    timeZone: 'Time zone',
    filters: 'Filters',
    none: 'none',
    noValue: '(none)',
    readAt: 'Read at',
    asOf: 'As known at',
    now: 'now',
    address: 'Report',
    exact: 'Exactness',
    allExact: 'Every value is a number with all its digits.',
    someText: `Values with more than ${digitsMax} digits are written as text: as numbers they would lose digits, and sums leave them out.`,
    part: 'Incomplete',
    isPart: 'Values are left out: choose fewer days or filter by a label.',
  },
  sv: {
    about: 'Om filen',
    figures: 'Siffror',
    company: 'Företag',
    orgnr: 'Organisationsnummer',
    source: 'Källa',
    metric: 'Mått',
    unit: 'Enhet',
    range: 'Dagar',
    to: 'till',
    timeZone: 'Tidszon',
    filters: 'Filter',
    none: 'inga',
    noValue: '(inget)',
    readAt: 'Hämtat',
    asOf: 'Som det var känt',
    now: 'nu',
    address: 'Rapport',
    exact: 'Exakthet',
    allExact: 'Varje värde är ett tal med alla sina siffror.',
    someText: `Värden med fler än ${digitsMax} siffror är skrivna som text: som tal skulle de förlora siffror, och summor tar inte med dem.`,
    part: 'Ofullständig',
    isPart: 'Värden saknas: välj färre dagar eller filtrera på en etikett.',
  },
} as const

/** Whether a spreadsheet's number has all digits of an exact decimal. */
function isExact(value: string): boolean {
  return value.replaceAll(/^-?0*[.]?0*|[.-]/g, '').length <= digitsMax
}

function toCell({ kind, cells }: FileColumn, place: number, isFinished: boolean): CellObject | null {
  const cell = cells[place]
  if (cell === null || cell === undefined) return null
  // Unfinished periods stand out, as they do on the page.
  const style = isFinished ? {} : { fontStyle: 'italic' as const, textColor: '#666666' }
  if (kind === 'text') return { value: cell, type: String, ...style }
  if (kind === 'day')
    return { value: new Date(`${cell}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd', ...style }
  if (!isExact(cell)) return { value: cell, type: String, align: 'right', ...style }
  const decimals = cell.split('.')[1]?.length ?? 0
  const format = decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`
  return { value: Number(cell), type: Number, format, ...style }
}

function writeAbout({ report, company, language, readAt, address }: XlsxTask, hasText: boolean): SheetData {
  const t = texts[language]
  const filters = Object.entries(report.where).map(
    ([label, values]) => `${label}: ${values.map((value) => (value === '' ? t.noValue : value)).join(', ')}`,
  )
  const lines: [string, string][] = [
    [t.company, company.name],
    [t.orgnr, company.orgnr],
    [t.source, report.source_name],
    [t.metric, `${report.name} (${report.metric})`],
    [t.unit, report.unit === 'count' ? fileWords[language].count : report.unit],
    [t.range, `${report.window.from} ${t.to} ${report.periods.at(-1)?.end ?? report.window.from}`],
    [t.timeZone, report.time_zone],
    [t.filters, filters.join('; ') || t.none],
    [t.readAt, readAt],
    [t.asOf, report.as_of ?? t.now],
    [t.address, address],
    [t.exact, hasText ? t.someText : t.allExact],
    ...(report.left_out > 0 || !report.complete ? [[t.part, t.isPart] as [string, string]] : []),
  ]
  return lines.map(([name, text]) => [
    { value: name, type: String, fontWeight: 'bold' },
    { value: text, type: String, wrap: true },
  ])
}

/** The report as a workbook (Office Open XML): its figures, with head and first column frozen, and a sheet that says what they are. */
export async function workbook(task: XlsxTask): Promise<Uint8Array> {
  const { report, language, further } = task
  const columns = [...listColumns(report, fileWords[language]), ...further]
  const head = columns.map(({ name, kind }) => ({
    value: name,
    type: String,
    fontWeight: 'bold' as const,
    wrap: true,
    ...(kind === 'value' && { align: 'right' as const }),
  }))
  const rows = report.periods.map(({ finished }, place) =>
    columns.map((each) => toCell(each, place, finished)),
  )
  const hasText = columns.some(
    ({ kind, cells }) => kind === 'value' && cells.some((cell) => cell !== null && !isExact(cell)),
  )
  return await writeExcelFile([
    {
      data: [head, ...rows],
      sheet: texts[language].figures,
      stickyRowsCount: 1,
      stickyColumnsCount: 1,
      columns: columns.map(({ kind }) => ({ width: kind === 'value' ? 18 : 12 })),
    },
    {
      data: writeAbout(task, hasText),
      sheet: texts[language].about,
      columns: [{ width: 24 }, { width: 80 }],
    },
  ]).toBuffer()
}
