import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refusalReasons } from '../parsing/plan/refusal.ts'

test('docs/errors.md has a row for every reason that refuses a row, and no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/errors.md'), 'utf8')
  const [, section] = page.split('\n## Refused rows\n')
  const rows = [...section!.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)
  expect(rows.toSorted()).toEqual(Object.keys(refusalReasons).toSorted())
})
