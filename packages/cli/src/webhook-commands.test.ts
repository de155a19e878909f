import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openTerminal } from '../testing/terminal.ts'

test('the vectors that are printed are those of the guide', async () => {
  const guide = new URL('../../../docs/guides/webhook-test-vectors.json', import.meta.url)
  const known = JSON.parse(await readFile(guide, 'utf8')) as { t: number; body?: string; v1: string }[]
  await using terminal = await openTerminal()
  const { code, out } = await terminal.run(['webhook', 'vectors', '--json'])
  expect(code).toBe(0)
  const printed = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(printed.length).toBeGreaterThan(1)
  for (const { body, secret, signature } of printed) {
    const { t, v1 } = known.find(
      (vector) => vector.body === body && 'secret' in vector && vector.secret === secret,
    )!
    expect(signature).toBe(`t=${t},v1=${v1}`)
  }
})
