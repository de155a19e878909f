/** Writes docs/limits.md. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limitsPage } from './limits.ts'

await writeFile(join(import.meta.dirname, '../docs/limits.md'), limitsPage)
