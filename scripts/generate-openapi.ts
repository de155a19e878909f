import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDocuments } from '../src/service/write-documents.ts'
import { consoleTypesPath, writeConsoleTypes } from './console-types.ts'

// Writes openapi/*.json anew from the contracts of the routes, and from them the types of the pages' calls. Tests compare
// both with what is committed.

const folder = join(import.meta.dirname, '..', 'openapi')

const documents = await writeDocuments()
for (const [name, text] of Object.entries(documents)) {
  await writeFile(join(folder, name), text)
  process.stdout.write(`openapi/${name}\n`)
}
await writeFile(consoleTypesPath, await writeConsoleTypes(documents['console.json']!))
process.stdout.write('web/src/api/console-api.ts\n')
