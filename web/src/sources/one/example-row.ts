import { add, compare, isDecimal } from '../../decimals/decimal.ts'
import type { Declaration, Field, Filter } from '../declaration.ts'

function compareValues(a: string, b: string, { type }: Field): number {
  if (type === 'number' && isDecimal(a) && isDecimal(b)) return compare(a, b)
  return a === b ? 0 : a < b ? -1 : 1
}

function passes(value: string, filter: Filter, field: Field): boolean {
  if (filter.comparison === 'in') return filter.values.includes(value)
  const order = compareValues(value, filter.value, field)
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

/** Plausible values of a field, the simplest first. */
function createCandidates({ type, name }: Field, filters: readonly Filter[], at: string): string[] {
  const named = filters.flatMap((filter) => (filter.comparison === 'in' ? filter.values : [filter.value]))
  const near = named.filter(isDecimal).flatMap((value) => [add(value, '1'), add(value, '-1')])
  const plain: Record<Field['type'], string[]> = {
    timestamp: [at],
    number: ['1249.00', ...near],
    text: [`${name} 1`, `${name} 2`],
    bool: ['true', 'false'],
  }
  return [...plain[type], ...named]
}

/**
 * A row that fits a source and that each of its metrics counts, as far as one row can. Personal fields are left out unless a
 * metric needs them.
 *
 * @param at the event time, RFC 3339
 */
export function createExampleRow(
  { fields, event_time, metrics }: Declaration,
  at: string,
): Record<string, string> {
  const conditions = metrics.flatMap((metric) => metric.filters)
  const row: [string, string][] = []
  for (const field of fields) {
    const filters = conditions.filter((filter) => filter.field === field.name)
    const isCounted = metrics.some((metric) => metric.field === field.name || metric.times === field.name)
    if (field.personal && !isCounted && filters.length === 0 && field.name !== event_time) continue
    const values = createCandidates(field, filters, at)
    const fitting = values.find((value) => filters.every((filter) => passes(value, filter, field)))
    row.push([field.name, field.name === event_time ? at : (fitting ?? values[0]!)])
  }
  // A field may be called `__proto__`.
  return Object.fromEntries(row)
}

function toCell(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A header row and one row, as CSV. */
export function toCsv(row: Readonly<Record<string, string>>): string {
  return [Object.keys(row), Object.values(row)].map((cells) => `${cells.map(toCell).join(',')}\n`).join('')
}
