import { splitLine, unquote } from './parse-targets.ts'

/** As the service takes them. */
export const namesMax = 500
const [nameCharactersMax, valueCharactersMax] = [100, 200]

export interface ValueName {
  value: string
  name: string
}

export type NameFault = 'columns' | 'value' | 'name' | 'twice'

/** Whether a value can stand in a line of the table. */
function fitsLine(value: string): boolean {
  return value.trim() !== '' && !/[\t\r\n]/.test(value)
}

/** The names of a label, with the values that have none, as a table of two columns. */
export function toTable(names: readonly ValueName[], values: readonly string[]): string {
  const named = new Map(names.map(({ value, name }) => [value, name]))
  const all = [...new Set([...values, ...named.keys()])].filter(fitsLine)
  return all.map((value) => `${value}\t${named.get(value) ?? ''}`).join('\n')
}

/**
 * Understands a table of values and names. Values and names that the page knows are taken as they are, quotation marks and spaces
 * included; those that no line can have keep their names.
 */
export function parseNames(pasted: string, known: readonly ValueName[], values: readonly string[]) {
  const exact = new Set([...values, ...known.flatMap(({ value, name }) => [value, name])])
  const names = new Map(known.filter(({ value }) => !fitsLine(value)).map(({ value, name }) => [value, name]))
  const seen = new Set<string>()
  const refused: { line: number; text: string; fault: NameFault }[] = []
  for (const [index, text] of pasted.split(/\r\n|\r|\n/).entries()) {
    if (text.trim() === '') continue
    const [value, name] = splitLine(text)?.map((cell) => (exact.has(cell) ? cell : unquote(cell))) ?? []
    const fault = findFault(value, name, seen)
    if (fault !== undefined) refused.push({ line: index + 1, text: text.trimEnd(), fault })
    else if (name !== '') names.set(value!, name!)
    seen.add(value ?? '')
  }
  return { names: [...names].map(([value, name]): ValueName => ({ value, name })), refused }
}

function findFault(
  value: string | undefined,
  name: string | undefined,
  seen: ReadonlySet<string>,
): NameFault | undefined {
  if (value === undefined || name === undefined) return 'columns'
  if (value === '' || [...value].length > valueCharactersMax) return 'value'
  if (seen.has(value)) return 'twice'
  // What is invisible or turns the direction of writing.
  return [...name].length > nameCharactersMax || /[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? 'name' : undefined
}

/** The values whose names differ; an undefined name: none. */
export function findChanges(before: readonly ValueName[], after: readonly ValueName[]) {
  const [old, next] = [before, after].map((names) => new Map(names.map(({ value, name }) => [value, name])))
  return [...new Set([...old!.keys(), ...next!.keys()])]
    .map((value) => ({ value, before: old!.get(value), after: next!.get(value) }))
    .filter((change) => change.before !== change.after)
}
