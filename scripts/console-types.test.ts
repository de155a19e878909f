import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { consoleTypesPath, writeConsoleTypes } from './console-types.ts'

test("The types of the pages' calls are those of the console API's document", async () => {
  const document = await readFile(join(import.meta.dirname, '..', 'openapi', 'console.json'), 'utf8')
  expect(await readFile(consoleTypesPath, 'utf8')).toBe(await writeConsoleTypes(document))
})
