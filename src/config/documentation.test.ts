import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const variable = /\b(?:NUMERA_[A-Z_]+|DATABASE_URL)\b/g

test('docs/configuration.md has a row for every variable that is read, and no other', async () => {
  const code = await readFile(join(import.meta.dirname, 'read-config.ts'), 'utf8')
  const page = await readFile(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1])
  expect(rows.toSorted()).toEqual([...new Set(code.match(variable))].toSorted())
})
