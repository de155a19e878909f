import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { definedStatements } from './define-statement.ts'

/** How statements are written: CONTRIBUTING.md, "Style". */

const source = join(import.meta.dirname, '../..')

let statements: [name: string, text: string][]
let tables: string[]
beforeAll(async () => {
  for await (const file of glob('**/{*queries,sealed-*,expiry}.ts', { cwd: source }))
    await import(join(source, file))
  statements = [...definedStatements()]
  const schema = await readFile(join(source, '../schema.sql'), 'utf8')
  tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, table]) => table!)
})

/** Without comments and without the contents of quotation marks. */
const bare = (text: string): string =>
  text.replaceAll(/--.*$/gm, '').replaceAll(/(?:\bE)?'(?:[^']|'')*'|"[^"]*"/g, "''")

/** The statements whose text `pattern` is found in, each with the first place. */
const found = (pattern: RegExp): string[] =>
  statements.flatMap(([name, text]) => {
    const place = pattern.exec(bare(text))
    return place ? [`${name}: ${place[0].replaceAll(/\s+/g, ' ')}`] : []
  })

test('a statement is named `area.verb-noun`, in lower case with hyphens', () => {
  const wellNamed = /^[a-z]+(?:-[a-z]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/
  expect(statements.map(([name]) => name).filter((name) => !wellNamed.test(name))).toEqual([])
})

test('a statement has named parameters', () => {
  expect(found(/\$\d+/)).toEqual([])
})

test('every parameter has a type', () => {
  expect(found(/\$\w+(?!\w|::[a-z])/)).toEqual([])
})

test('a statement is in lower case', () => {
  const withoutParameters = statements.map(([name, text]) => [name, bare(text).replaceAll(/\$\w+/g, '')])
  expect(withoutParameters.filter(([, text]) => /[A-Z]/.test(text!)).map(([name]) => name)).toEqual([])
})

test('a statement spells out the columns that it gives', () => {
  expect(found(/\b(?:select|returning)(?: distinct)?\s+\*/)).toEqual([])
  expect(found(new RegExp(`\\b(?:${tables.join('|')})\\.\\*`))).toEqual([])
})

test('a statement has no table by one letter', () => {
  expect(found(/\b[a-z]\.[a-z*]\w*/)).toEqual([])
})
