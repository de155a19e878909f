import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDocuments } from '../src/app/write-documents.ts'
import { consoleTypesPath, writeConsoleTypes } from './console-types.ts'

// Writes openapi/*.json from the contracts of the routes, and from these the types of the pages' calls. Tests compare both
// with the committed files.

const folder = join(import.meta.dirname, '..', 'openapi')

const documents = await writeDocuments()
for (const [name, text] of Object.entries(documents)) {
  await writeFile(join(folder, name), text)
  process.stdout.write(`openapi/${name}\n`)
}
await writeFile(consoleTypesPath, await writeConsoleTypes(documents['console.json']!))
process.stdout.write('web/src/api/console-api.ts\n')
