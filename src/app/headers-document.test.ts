import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeDocuments } from './write-documents.ts'

/** `docs/headers.md` and the code name the same headers. */

const root = join(import.meta.dirname, '..', '..')

/** What Fastify and its plugins read and set for us, where our code shows no name: `request.ip`, cookies, files. */
const readByFramework = ['cookie', 'x-forwarded-for', 'accept-encoding', 'range', 'if-modified-since']
const setByFramework = [
  'set-cookie',
  'content-encoding',
  'vary',
  'last-modified',
  'accept-ranges',
  'content-range',
]
/** Formats know no headers. The demo, the operator's commands and stores of objects are clients; documents have members with such names. */
const others =
  /\.test\.ts$|^(?:app\/operator|formats)\/|^platform\/(?:api-documents\/|objects\/|http\/openapi-)/

const readPatterns = [
  /\bheaders\['([\w-]+)'\]/g,
  /(?<![/\w-])(?:request\.)?headers\.([a-z]+)\b(?![(:])/g,
  /\bheader\(request, '([\w-]+)'\)/g,
  /\bconst \w+Header = '([\w-]+)'/g,
  // A parameter of a contract.
  /'([A-Za-z]+(?:-[A-Za-z]+)+)': (?:Type\.|\w+Header\b)/g,
  // Of the headers as they came.
  /rawHeaders\[[^\]]*\]!\.toLowerCase\(\) === '([\w-]+)'/g,
  /\bname\.toLowerCase\(\) !== '(host)'/g,
]
const destructured = /\{ ([\w, ]+) \} = (?:request\.)?headers$/gm
const setPatterns = [
  /\.header\(\s*'([\w-]+)'/g,
  /'([A-Za-z]+(?:-[A-Za-z]+)+)': (?!Type\.|\w+Header\b)/g,
  /'([A-Za-z]+(?:-[A-Za-z]+)+)':\n/g,
  /\b(Allow|Connection|ETag|Link|Location): /g,
]
/** Of a head that is written line by line, in `http/raw-answer.ts`. */
const rawHeader = /^ {4}['`]([A-Z][A-Za-z-]*): /gm

/** A member of an API document that is an extension, such as `x-enumDescriptions`. */
const extension = /^x-[a-z]+[A-Z]/

const found = (code: string, patterns: RegExp[]): string[] =>
  patterns
    .flatMap((pattern) => Array.from(code.matchAll(pattern), ([, name]) => name!))
    .filter((name) => !extension.test(name))
    .map((name) => name.toLowerCase())

/** The names in the first cells of a section's table. */
const namesIn = (section: string): string[] =>
  Array.from(section.matchAll(/^\| (`[^|]+`) \|/gm), ([, cell]) =>
    Array.from(cell!.matchAll(/`([\w-]+)`/g), ([, name]) => name!.toLowerCase()),
  ).flat()

const read = new Set(readByFramework)
const set = new Set(setByFramework)
const documented: Record<'read' | 'set', string[]> = { read: [], set: [] }
beforeAll(async () => {
  const files = await readdir(join(root, 'src'), { recursive: true })
  for (const file of files) {
    if (!file.endsWith('.ts') || others.test(file)) continue
    const code = await readFile(join(root, 'src', file), 'utf8')
    for (const name of found(code, readPatterns)) read.add(name)
    for (const [, names] of code.matchAll(destructured)) {
      for (const name of names!.split(', ')) read.add(name)
    }
    const patterns = file === 'platform/http/raw-answer.ts' ? [...setPatterns, rawHeader] : setPatterns
    for (const name of found(code, patterns)) set.add(name)
  }
  const page = await readFile(join(root, 'docs/headers.md'), 'utf8')
  const [, sent = '', got = ''] = page.split(/^## /m)
  documented.read = namesIn(sent)
  documented.set = namesIn(got)
})

const sorted = (names: Iterable<string>): string[] => Array.from(names).toSorted()

test('every header that the service reads has a row in docs/headers.md, and no other', () => {
  expect(documented.read.length).toBeGreaterThan(15)
  expect(sorted(documented.read)).toEqual(sorted(read))
})

test('every header that the service answers with has a row in docs/headers.md, and no other', () => {
  expect(documented.set.length).toBeGreaterThan(20)
  expect(sorted(documented.set)).toEqual(sorted(set))
})

interface WrittenOperation {
  parameters?: { in: string; name: string }[]
  responses: Record<string, { headers?: Record<string, unknown> }>
}

test('every header of the API documents has a row in docs/headers.md', async () => {
  for (const text of Object.values(await writeDocuments())) {
    const { paths } = JSON.parse(text) as {
      paths: Record<string, Record<string, WrittenOperation>>
    }
    for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
      const sent = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header')
      const got = Object.values(operation.responses).flatMap(({ headers = {} }) => Object.keys(headers))
      for (const parameter of sent) expect(documented.read).toContain(parameter.name.toLowerCase())
      for (const header of got) expect(documented.set).toContain(header.toLowerCase())
    }
  }
})
