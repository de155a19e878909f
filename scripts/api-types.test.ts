import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { writeDocuments } from '../src/app/write-documents.ts'
import { clientTypesPath, consoleTypesPath, writeClientTypes, writeConsoleTypes } from './api-types.ts'

test("The types of the pages' and the client's calls are those of the contracts (if not: npm run openapi)", async () => {
  const written = await writeDocuments()
  expect(await readFile(consoleTypesPath, 'utf8')).toBe(await writeConsoleTypes(written['console.json']))
  expect(await readFile(clientTypesPath, 'utf8')).toBe(await writeClientTypes(written['numera.json']))
})
