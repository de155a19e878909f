import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('every test that docs/security.md names exists, and every threat names one', async () => {
  const text = await readFile(join(root, 'docs', 'security.md'), 'utf8')
  const missing: string[] = []
  for (const section of text.split(/^## /m).slice(1)) {
    const shown = [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)]
    if (shown.length === 0) missing.push(`${section.split('\n', 1)[0]}: no test`)
    for (const [, file, name] of shown) {
      const tests = await readFile(join(root, file!), 'utf8').catch(() => '')
      // After a quote; the names of a table of tests continue with the row.
      if (!["'", '"', '`'].some((quote) => tests.includes(`${quote}${name!}`)))
        missing.push(`${file}: ${name}`)
    }
  }
  expect(missing).toEqual([])
})
