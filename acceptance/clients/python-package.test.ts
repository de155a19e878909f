import { expect, test } from 'vitest'
import { runPython, whyNot } from '../../packages/python/tests/python.ts'

test('the Python client passes its own tests', { timeout: 120_000 }, async ({ skip }) => {
  skip(whyNot !== undefined, whyNot)
  const { code, err } = await runPython(['-m', 'unittest'])
  expect(code, err).toBe(0)
  expect(err).toMatch(/^Ran \d+ tests/m)
})
