import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeDocuments } from './write-documents.ts'

/** `docs/glossary.md` and the code use the same words. Sentences are checked by `scripts/check-phrases.ts`. */

const root = join(import.meta.dirname, '..', '..')

/** Rows of a table: the cells of each. */
type Row = readonly string[]

/** Words of a name, in lower case: `readFieldNames` and `read-field-names.ts` have three and four. */
const splitWords = (name: string): string[] =>
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
/** Of `src` alone. */
const exported: Named[] = []
/** All that has a name: files, exports, tables, columns, fields and operations of both APIs, commands, metrics, variables. */
const named: Named[] = []

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8')

const addMatches = (file: string, text: string, pattern: RegExp): void => {
  for (const [, name] of text.matchAll(pattern)) named.push({ name: name!, file })
}

/** Names of properties, parameters, schemas and operations of an API document. */
const addDocument = (file: string, value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (key === 'examples' || key === 'example') continue
    if (key === 'properties' || key === 'schemas')
      for (const name of Object.keys(child as object)) named.push({ name, file })
    if (key === 'operationId' || (key === 'name' && 'in' in value))
      named.push({ name: child as string, file })
    addDocument(file, child)
  }
}

beforeAll(async () => {
  const text = await read('docs/glossary.md')
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

  const schema = await read('schema.sql')
  for (const [, table, columns] of schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n(.*?)\n\)/gms)) {
    stored.add(table!)
    for (const [, column] of columns!.matchAll(/^ {2}(\w+)/gm)) stored.add(`${table}.${column}`)
  }
  for (const name of stored) named.push({ name: name.slice(name.indexOf('.') + 1), file: 'schema.sql' })

  for (const [file, document] of Object.entries(await writeDocuments()))
    addDocument(`openapi/${file}`, JSON.parse(document))
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: object }
  for (const name of Object.keys(scripts)) named.push({ name, file: 'package.json' })
  addMatches('docs/configuration.md', await read('docs/configuration.md'), /`(NUMERA_\w+)/g)
  addMatches('docs/guides/operating.md', await read('docs/guides/operating.md'), /`(numera_\w+)/g)

  for await (const file of glob(
    '{acceptance,bench,demo,scripts,src,stand-ins,testing,trials,web/docs,web/src}/**/*.{css,mjs,sh,ts,tsx}',
    { cwd: root },
  )) {
    named.push({ name: file.slice(file.lastIndexOf('/') + 1), file })
    if (/\.test\.tsx?$/.test(file)) continue
    const source = await read(file)
    const first = named.length
    addMatches(
      file,
      source,
      /^export (?:async |abstract )*(?:const|class|function\*?|interface|type) (\w+)/gm,
    )
    if (file.startsWith('src/')) exported.push(...named.slice(first))
    if (file.startsWith('src/app/')) addMatches(file, source, /(?:\.command\(')([\w-]+)/g)
    addMatches(file, source, /'--([a-z-]+)/g)
  }
})

test('every word names a table, a column or something exported that exists', () => {
  expect(entries.length).toBeGreaterThan(50)
  expect(exported.length).toBeGreaterThan(500)
  expect(named.length).toBeGreaterThan(5_000)
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
  exceptions.some((each) => (each.includes('/') ? file.startsWith(each) : each === name))

test('no name has a word that is not used', () => {
  expect(unused.length).toBeGreaterThan(10)
  const found = unused.flatMap(([nots, , except]) => {
    const words = new Set(codeIn(nots!))
    return named
      .filter(({ name }) => splitWords(name).some((word) => words.has(word)))
      .filter((one) => !isExcept(one, codeIn(except!)))
      .map(({ name, file }) => `${name} in ${file}`)
  })
  expect(found).toEqual([])
})

test('every exception from an unused word is needed', () => {
  const needless = unused.flatMap(([nots, , except]) => {
    const words = new Set(codeIn(nots!))
    return codeIn(except!).filter(
      (each) =>
        !named.some((one) => isExcept(one, [each]) && splitWords(one.name).some((word) => words.has(word))),
    )
  })
  expect(needless).toEqual([])
})
