import { existsSync } from 'node:fs'
import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** ARCHITECTURE.md, and the paths that the documents name, match the tree. */

const root = join(import.meta.dirname, '..', '..')
const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8')

/** The names in backticks in the first cells of a section's tables. */
const firstCells = (text: string, section: string): string[] => {
  const [, from = ''] = text.split(`\n## ${section}\n`)
  const rows = from.split(/\n## |\nInside `/)[0]!.matchAll(/^\| (`.*?) \|/gm)
  return [...rows].flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
}

test('every room of src has a row in the table of folders, and every row a folder', async () => {
  const rows = firstCells(await read('ARCHITECTURE.md'), 'Folders')
  const bands = (await readdir(join(root, 'src'), { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  )
  const rooms = await Promise.all(
    bands.map(async ({ name }) => {
      const inside = await readdir(join(root, 'src', name), { withFileTypes: true })
      return inside.filter((entry) => entry.isDirectory()).map((room) => `src/${name}/${room.name}`)
    }),
  )
  expect(rooms.flat().filter((room) => !rows.includes(room))).toEqual([])
  expect(rows.filter((row) => !existsSync(join(root, row)))).toEqual([])
})

test('the table of data lists every table of the database, and nothing else', async () => {
  const schema = await read('schema.sql')
  const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, table]) => table!)
  const rows = firstCells(await read('ARCHITECTURE.md'), 'Data')
  // Each schema has a table of its migrations.
  expect(rows.toSorted()).toEqual([...new Set(tables)].toSorted())
})

test('every path that a document names exists', async () => {
  const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md']
  for await (const file of glob('docs/**/*.md', { cwd: root })) documents.push(file)
  const path =
    /(?<![\w/.-])(?:src|demo|testing|web|scripts|acceptance|trials|stand-ins|bench|migrations|openapi|docs)\/[\w./-]*\w/g
  const missing: string[] = []
  for (const document of documents) {
    for (const [named] of (await read(document)).matchAll(path)) {
      if (!existsSync(join(root, named))) missing.push(`${named} in ${document}`)
    }
  }
  expect(missing).toEqual([])
})
