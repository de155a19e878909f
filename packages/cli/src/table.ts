import Table from 'cli-table3'

/** Columns are separated by two spaces, without lines. */
const lines = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
]
const sides = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid']
const plain = {
  chars: { ...Object.fromEntries([...lines, ...sides].map((name) => [name, ''])), middle: '  ' },
  style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
}

/** Characters that steer a terminal, or turn the direction of what follows. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** A text of a company, made safe for a line on a terminal. */
export const printable = (text: string): string => text.replaceAll(unprintable, '\u{fffd}')

/** A value in one line; a missing one is a dash. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || '-'
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    const members = Object.entries(value).map(([name, member]) => `${printable(name)}=${formatValue(member)}`)
    return members.join(' ') || '-'
  }
  return printable(`${value as string | number | boolean | object}`)
}

const toSnakeName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A table with a line for each row, under the names of `--json`; `empty` where there are none. */
export function formatTable(columns: readonly string[], rows: readonly object[], empty: string): string {
  if (rows.length === 0) return empty
  const table = new Table({ ...plain, head: columns.map(toSnakeName) } as ConstructorParameters<
    typeof Table
  >[0])
  table.push(...rows.map((row) => columns.map((column) => formatValue(Reflect.get(row, column)))))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** A line for each member. */
export const formatFields = (value: object): string =>
  Object.entries(value)
    .map(([name, member]) => `${name}: ${formatValue(member)}`)
    .join('\n')

const bars = '▁▂▃▄▅▆▇█'

/** One character for each value, from the least to the greatest; for the eye alone. */
export function sparkline(values: readonly number[]): string {
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const range = greatest - least || 1
  return values.map((value) => bars[Math.min(7, Math.floor(((value - least) / range) * 8))]).join('')
}

/** A record of CSV. Source: RFC 4180. */
export const csvRecord = (cells: readonly string[], delimiter = ','): string =>
  `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\r\n`

/** Renames members as the service's API has them. The names of labels are a company's own and stay. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      toSnakeName(name),
      name === 'labels' ? member : toSnakeCase(member),
    ]),
  )
}
