import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOnCitus } from '../../../../testing/process/databases.ts'
import { readSchemas } from './read-schema.ts'
import { createTestDatabase } from '../../../../testing/in-process/test-database.ts'

// On Citus every table is logged.
test.skipIf(isOnCitus())('schema.sql is what the migrations make (if not: npm run schema)', async () => {
  await using database = await createTestDatabase()
  const committed = await readFile(join(import.meta.dirname, '../../../../schema.sql'), 'utf8')
  expect(await readSchemas(database.pool)).toBe(committed)
})
