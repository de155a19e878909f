import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeDocuments } from '../src/app/write-documents.ts'
import { clientTypesPath, consoleTypesPath, writeClientTypes, writeConsoleTypes } from './api-types.ts'
import { writeEngineLists } from './engine-lists.ts'

// Writes the API documents from the contracts of the routes. `openapi/numera.json`, the types of the pages' and the client's calls, and the words and
// rules of aggregations and formats for the pages are committed, and tests compare them. `openapi/console.json` is ignored by
// git: `--console` writes it alone, for `npm run check`.

const { values } = parseArgs({ options: { console: { type: 'boolean', default: false } } })
const documents = await writeDocuments()
const files: Record<string, string> = {
  [join(import.meta.dirname, '../openapi/console.json')]: documents['console.json'],
  ...(!values.console && {
    [join(import.meta.dirname, '../openapi/numera.json')]: documents['numera.json'],
    [consoleTypesPath]: await writeConsoleTypes(documents['console.json']),
    [clientTypesPath]: await writeClientTypes(documents['numera.json']),
    ...(await writeEngineLists()),
  }),
}
for (const [path, text] of Object.entries(files)) await writeFile(path, text)
