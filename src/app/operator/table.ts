import Table from 'cli-table3'
import { printable } from '../../formats/values/printable.ts'
import type { CommandAnswer } from './add-command.ts'

/** Columns are separated by two spaces, without lines. */
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

/** A value in one line; a missing one is a dash. */
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
 * A table with a line for each answer, under the names of `--json`.
 *
 * @param paths the columns: `name`, or `source.name` of a nested value
 * @param empty the text where there are no answers
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

/** An answer with a line for each value. */
export function formatFields(answer: object, prefix = ''): string {
  return Object.entries(answer)
    .map(([name, value]) =>
      isRecord(value) ? formatFields(value, `${prefix}${name}.`) : `${prefix}${name}: ${formatValue(value)}`,
    )
    .join('\n')
}

export function toFieldsAnswer(json: object): CommandAnswer {
  return { json, text: formatFields(json) }
}
