import { monthName } from '../../language/format-day.ts'

/** Months of one save, as the service takes them. */
export const monthsMax = 240
/** Digits of a number, and its decimals, as the service takes them. */
const [digitsMax, decimalsMax] = [38, 18]

export type LineFault = 'columns' | 'month' | 'number' | 'ambiguous' | 'twice'

export interface ParsedTargets {
  /** `YYYY-MM`, and an exact decimal; null removes the month's target. */
  months: { month: string; value: string | null }[]
  /** Lines that were not understood; `line` counts from 1. */
  refused: { line: number; text: string; fault: LineFault }[]
  /** How many further months were left out. */
  left: number
}

const names = ['en', 'sv'].map((language) =>
  Array.from({ length: 12 }, (_month, index) => monthName(language, index + 1, 'long').toLowerCase()),
)

/** From 1; 0 for no month. A name may be shortened to three letters or more. */
function toMonthNumber(word: string): number {
  const given = word.toLowerCase()
  const found = names.map((of) => of.findIndex((name) => given.length >= 3 && name.startsWith(given)))
  return Math.max(...found) + 1
}

/** `2026-01`, `2026-01-01`, `2026/01`, `202601`, `jan 2026`, `January 2026`, `jan-26`. */
function parseMonth(text: string): string | undefined {
  const numeric = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.]\d{1,2})?|(\d{2}))$/.exec(text)
  const named = /^(\p{L}+)\.?[ -]?(\d{4}|\d{2})$/u.exec(text)
  const year = numeric?.[1] ?? named?.[2]?.padStart(4, '20')
  const month = numeric ? Number(numeric[2] ?? numeric[3]) : toMonthNumber(named?.[1] ?? '')
  if (year === undefined || year < '0001' || month < 1 || month > 12) return undefined
  return `${year}-${String(month).padStart(2, '0')}`
}

/** Which sign comes before decimals: one that the other lines show, where a line alone does not. */
type Point = ',' | '.' | undefined

const space = /[\s\u00A0\u202F'’]/gu

/** A number as written; undefined: none. `isClear` is false for one like `250,000`, which depends on the language. */
function readNumber(text: string): { digits: string; point: Point; isClear: boolean } | undefined {
  const plain = text
    .replaceAll(space, ' ')
    .replaceAll('\u2212', '-')
    .replace(/ ?(kr|SEK|:-)\.?$/i, '')
    .trim()
  const grouped = /^-?\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/.test(plain)
  if (plain.includes(' ') && !grouped) return undefined
  const digits = plain.replaceAll(' ', '')
  if (/^-?\d+$/.test(digits)) return { digits, point: undefined, isClear: true }
  if (/^-?\d{1,3}(,\d{3})+\.\d+$/.test(digits)) return { digits, point: '.', isClear: true }
  if (/^-?\d{1,3}(\.\d{3})+,\d+$/.test(digits)) return { digits, point: ',', isClear: true }
  if (/^-?\d{1,3}(,\d{3}){2,}$/.test(digits)) return { digits, point: '.', isClear: true }
  if (/^-?\d{1,3}(\.\d{3}){2,}$/.test(digits)) return { digits, point: ',', isClear: true }
  const single = /^-?(\d+)([.,])(\d+)$/.exec(digits)
  if (single === null) return undefined
  const [, whole = '', point, decimals = ''] = single
  const isClear = grouped || decimals.length !== 3 || whole.length > 3 || whole === '0'
  return { digits, point: point as Point, isClear }
}

/** The number with a decimal point alone. */
function toDecimal(digits: string, point: Point): string {
  const group = point === ',' ? '.' : ','
  const [whole = '', decimals] = digits.replaceAll(group, '').split(point ?? '.', 2)
  return decimals === undefined ? whole : `${whole}.${decimals}`
}

/** A cell without spaces and quotation marks around it. */
export function unquote(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
}

/** The first two cells of a line, divided by a tab, else a semicolon, else a comma; the others have to be empty. */
export function splitLine(text: string): [first: string, second: string] | undefined {
  const separator = ['\t', ';', ','].find((each) => text.includes(each))
  if (separator === undefined) return undefined
  const at = text.indexOf(separator)
  const rest = text.slice(at + 1)
  const [amount = '', ...more] = separator === ',' ? [rest] : rest.split(separator)
  if (more.some((cell) => cell.trim() !== '')) return undefined
  return [text.slice(0, at), amount]
}

/**
 * Understands a pasted table of months and amounts, as Swedish and English spreadsheets have them. Nothing is guessed: an amount
 * such as `250,000` is understood only if another line shows which sign comes before decimals.
 */
export function parseTargets(pasted: string): ParsedTargets {
  const lines = pasted.split(/\r\n|\r|\n/).map((text, index) => ({ line: index + 1, text }))
  const written = lines.filter(({ text }) => text.trim() !== '')
  // A heading has no digits.
  if (written[0] !== undefined && !/\d/.test(written[0].text)) written.shift()
  const cells = written.map(({ text }) => splitLine(text)?.map(unquote) as [string, string] | undefined)
  const numbers = cells.map((each) => (each === undefined ? undefined : readNumber(each[1])))
  const points = new Set(numbers.flatMap((each) => (each?.isClear === true ? (each.point ?? []) : [])))
  const shown = points.size === 1 ? [...points][0] : undefined
  const months = new Map<string, string | null>()
  const refused: ParsedTargets['refused'] = []
  for (const [index, { line, text }] of written.entries()) {
    const read = readLine(cells[index], numbers[index], shown, months)
    if (typeof read === 'string') refused.push({ line, text: text.trimEnd(), fault: read })
    else months.set(read.month, read.value)
  }
  const all = [...months].map(([month, value]) => ({ month, value }))
  return { months: all.slice(0, monthsMax), refused, left: Math.max(0, all.length - monthsMax) }
}

function readLine(
  cells: ReturnType<typeof splitLine>,
  number: ReturnType<typeof readNumber>,
  shown: Point,
  before: ReadonlyMap<string, unknown>,
): { month: string; value: string | null } | LineFault {
  if (cells === undefined) return 'columns'
  const month = parseMonth(cells[0])
  if (month === undefined) return 'month'
  if (before.has(month)) return 'twice'
  if (cells[1] === '') return { month, value: null }
  if (number === undefined) return 'number'
  if (!number.isClear && shown === undefined) return 'ambiguous'
  const value = toDecimal(number.digits, number.isClear ? number.point : shown)
  const [whole = '', decimals = ''] = value.replace('-', '').split('.')
  if (decimals.length > decimalsMax || whole.length + decimals.length > digitsMax) return 'number'
  return { month, value }
}
