import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

/** `docs/glossary.md` and the code use the same words. */

const root = join(import.meta.dirname, '..', '..')

/** Rows of a table: the cells of each. */
type Row = readonly string[]

/** Words of a name, in lower case: `readFieldNames` and `read-field-names.ts` have three and four. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const codeIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)

interface Named {
  name: string
  /** From the root of the repository. */
  file: string
}

let entries: Row[]
let unused: Row[]
/** `table` and `table.column`. */
const stored = new Set<string>()
const exported: Named[] = []
const files: Named[] = []

beforeAll(async () => {
  const text = await readFile(join(root, 'docs/glossary.md'), 'utf8')
  const rows: Row[] = text
    .split('\n')
    .filter((line) => /^\| (?!word |not |-)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  entries = rows.filter(([first]) => !first!.startsWith('`'))
  unused = rows.filter(([first]) => first!.startsWith('`'))

  const schema = await readFile(join(root, 'schema.sql'), 'utf8')
  for (const [, table, columns] of schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n(.*?)\n\)/gms)) {
    stored.add(table!)
    for (const [, column] of columns!.matchAll(/^ {2}(\w+)/gm)) stored.add(`${table}.${column}`)
  }

  for await (const file of glob('src/**/*.ts', { cwd: root })) {
    files.push({ name: file.slice(file.lastIndexOf('/') + 1), file })
    if (file.endsWith('.test.ts')) continue
    const source = await readFile(join(root, file), 'utf8')
    const exports = /^export (?:async |abstract )*(?:const|class|function\*?|interface|type) (\w+)/gm
    for (const [, name] of source.matchAll(exports)) exported.push({ name: name!, file })
  }
})

test('every word names a table, a column or something exported that exists', () => {
  expect(entries.length).toBeGreaterThan(50)
  expect(exported.length).toBeGreaterThan(500)
  const names = new Set(exported.map(({ name }) => name))
  const missing = entries.flatMap(([word, , code]) => {
    const carriers = codeIn(code!)
    if (carriers.length === 0) return [`${word}: nothing`]
    return carriers.filter((each) => !stored.has(each) && !names.has(each)).map((each) => `${word}: ${each}`)
  })
  expect(missing).toEqual([])
})

test('no word has two lines', () => {
  const words = entries.map(([word]) => word)
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
})

const isExcept = ({ name, file }: Named, exceptions: readonly string[]): boolean =>
  exceptions.some((each) => (each.includes('/') ? `${file}/`.startsWith(`${each}/`) : each === name))

test('no name has a word that is not used', () => {
  expect(unused.length).toBeGreaterThan(10)
  const found = unused.flatMap(([nots, , except]) => {
    const words = new Set(codeIn(nots!))
    return [...files, ...exported]
      .filter(({ name }) => wordsOf(name).some((word) => words.has(word)))
      .filter((named) => !isExcept(named, codeIn(except!)))
      .map(({ name, file }) => `${name} in ${file}`)
  })
  expect(found).toEqual([])
})

test('every exception from an unused word is needed', () => {
  const needless = unused.flatMap(([nots, , except]) => {
    const words = new Set(codeIn(nots!))
    return codeIn(except!).filter(
      (each) =>
        ![...files, ...exported].some(
          (named) => isExcept(named, [each]) && wordsOf(named.name).some((word) => words.has(word)),
        ),
    )
  })
  expect(needless).toEqual([])
})
