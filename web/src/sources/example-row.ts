import { add, compare, isDecimal } from '../decimals/decimal.ts'
import type { Declaration, Field, Metric } from './draft.ts'

type Filter = Metric['filters'][number]

const minuteMs = 60_000

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** An instant as RFC 3339 writes it in a time zone, to the second: 2026-11-21T14:03:00+01:00. */
export function writeInstant(at: number, timeZone: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  const wall = `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:${parts['second']}`
  const offset = Math.round((Date.parse(`${wall}Z`) - at) / minuteMs)
  const size = Math.abs(offset)
  return `${wall}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

function passes(value: string, filter: Filter, { type }: Field): boolean {
  if (filter.comparison === 'in') return filter.values.includes(value)
  const order =
    type === 'number' && isDecimal(value) && isDecimal(filter.value)
      ? compare(value, filter.value)
      : value === filter.value
        ? 0
        : value < filter.value
          ? -1
          : 1
  const holds = {
    '=': order === 0,
    '≠': order !== 0,
    '<': order < 0,
    '≤': order <= 0,
    '>': order > 0,
    '≥': order >= 0,
  }
  return holds[filter.comparison]
}

/** What might stand under a field, the plainest first. */
function candidates({ type, name }: Field, filters: readonly Filter[], at: string): string[] {
  const named = filters.flatMap((filter) => (filter.comparison === 'in' ? filter.values : [filter.value]))
  const beside = named.filter(isDecimal).flatMap((value) => [add(value, '1'), add(value, '-1')])
  const plain: Record<Field['type'], string[]> = {
    timestamp: [at],
    number: ['1249.00', ...beside],
    text: [`${name} 1`, `${name} 2`],
    bool: ['true', 'false'],
  }
  return [...plain[type], ...named]
}

/**
 * A row that fits a source as it is, and that each of its metrics counts, as far as one row can. A personal field is left out
 * where nothing needs it.
 *
 * @param at as `writeInstant` gives it
 */
export function exampleRow({ fields, event_time, metrics }: Declaration, at: string): Record<string, string> {
  const row: [string, string][] = []
  for (const field of fields) {
    const filters = metrics
      .flatMap((metric) => metric.filters)
      .filter((filter) => filter.field === field.name)
    const isCounted = metrics.some((metric) => metric.field === field.name || metric.times === field.name)
    if (field.personal && !isCounted && filters.length === 0 && field.name !== event_time) continue
    const values = candidates(field, filters, at)
    const fitting = values.find((value) => filters.every((filter) => passes(value, filter, field)))
    row.push([field.name, field.name === event_time ? at : (fitting ?? values[0]!)])
  }
  // Names such as `__proto__` are names too.
  return Object.fromEntries(row)
}

function cell(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV, the header row first. */
export function writeCsv(row: Readonly<Record<string, string>>): string {
  return `${Object.keys(row).map(cell).join(',')}\n${Object.values(row).map(cell).join(',')}\n`
}
