import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOlderRelease, release } from './release.ts'

test('releases are compared by their numbers', () => {
  expect(isOlderRelease('0.9.0', '0.10.0')).toBe(true)
  expect(isOlderRelease('0.10.0', '0.9.9')).toBe(false)
  expect(isOlderRelease('1.2.3', '1.2.3')).toBe(false)
})

test('the label of the container image is the release', async () => {
  const file = await readFile(join(import.meta.dirname, '../../../deploy/Containerfile'), 'utf8')
  expect(/image\.version="([^"]+)"/.exec(file)?.[1]).toBe(release)
})
