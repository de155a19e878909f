import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDocuments } from '../src/http/write-documents.ts'

// Writes openapi/*.json anew from the contracts of the routes. A test compares them with what is committed.

const folder = join(import.meta.dirname, '..', 'openapi')

for (const [name, text] of Object.entries(await writeDocuments())) {
  await writeFile(join(folder, name), text)
  process.stdout.write(`openapi/${name}\n`)
}
