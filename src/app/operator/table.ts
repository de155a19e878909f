import Table from 'cli-table3'
import { printable } from '../../formats/values/printable.ts'

/** Columns stand apart by two spaces, with no lines between. */
const plain = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: '  ',
  },
  style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** A value in one line; what there is none of is a dash. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) {
    const items = value.map((item) => (isRecord(item) ? JSON.stringify(item) : formatValue(item)))
    return items.join(', ') || '-'
  }
  return printable(isRecord(value) ? JSON.stringify(value) : String(value as string | number | boolean))
}

/** The value at `source.name`. */
function valueAt(answer: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), answer)
}

/**
 * Answers of a command as a table, a line each, under the names that `--json` gives them.
 *
 * @param paths the columns: `name`, or `source.name` for what stands inside
 * @param empty what is said where there is nothing to list
 */
export function formatTable(paths: readonly string[], answers: readonly object[], empty: string): string {
  if (answers.length === 0) return empty
  const table = new Table({ ...plain, head: [...paths] })
  table.push(...answers.map((answer) => paths.map((path) => formatValue(valueAt(answer, path)))))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** One answer, a line for each of its values, so that one can be cut out. */
export function formatFields(answer: object, prefix = ''): string {
  return Object.entries(answer)
    .map(([name, value]) =>
      isRecord(value) ? formatFields(value, `${prefix}${name}.`) : `${prefix}${name}: ${formatValue(value)}`,
    )
    .join('\n')
}
