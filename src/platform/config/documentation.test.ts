import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const variable = /\b(?:(?:NUMERA|AWS)_[A-Z_]+|DATABASE_URL)\b/g

test('docs/configuration.md has a row for every variable that is read, and no other', async () => {
  let code = ''
  for await (const file of glob('read-*.ts', { cwd: import.meta.dirname })) {
    if (!file.endsWith('.test.ts')) code += await readFile(join(import.meta.dirname, file), 'utf8')
  }
  const page = await readFile(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1])
  expect(rows.toSorted()).toEqual([...new Set(code.match(variable))].toSorted())
})
