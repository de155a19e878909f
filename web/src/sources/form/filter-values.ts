import type { Filter } from '../declaration.ts'

/** A filter as it is being edited. */
export interface DraftFilter {
  id: number
  field: string
  comparison: Filter['comparison']
  /** Of `in`: one value per line. */
  value: string
  /** Each value is written as JSON, since one of them contains a line break. */
  quoted?: true
}

type Written = Pick<DraftFilter, 'value' | 'quoted'>

/** Writes a filter's values for the form, a line each. */
export function writeValues(values: readonly string[]): Written {
  if (!values.some((value) => /[\r\n]/.test(value))) return { value: values.join('\n') }
  return { value: values.map((value) => JSON.stringify(value)).join('\n'), quoted: true }
}

/** The values of a filter; undefined for a line that should be a JSON string and is not. */
export function readValues({
  comparison,
  value,
  quoted,
}: Omit<DraftFilter, 'id' | 'field'>): (string | undefined)[] {
  const lines = comparison === 'in' ? value.split('\n').filter((line) => line !== '') : [value]
  return quoted === true ? lines.map(unquote) : lines
}

function unquote(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
