import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const packages = join(import.meta.dirname, '../..')

test('Every sentence about senders names tests that there are', async () => {
  const text = await readFile(join(packages, 'vectors/README.md'), 'utf8')
  const [head, , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
  const folders = head!.slice(1).map((name) => name.replaceAll('`', '').replace('packages/', ''))
  expect(rows.length).toBeGreaterThan(15)
  for (const [sentence, ...cells] of rows) {
    expect(cells, sentence).toHaveLength(folders.length)
    for (const [at, cell] of cells.entries()) {
      const [, name, title] = /^`([^`]+)`: (.+)$/.exec(cell) ?? []
      if (name === undefined) continue
      const tests = await readFile(join(packages, folders[at]!, name), 'utf8')
      expect(tests.includes(title!), `${name}: ${title}`).toBe(true)
    }
  }
})
