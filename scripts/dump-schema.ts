/**
 * Writes schema.sql, the schema after all migrations. Uses the server at DATABASE_URL if set (its user must be allowed to
 * create databases), else a temporary one.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPool } from '../src/platform/database/pool.ts'
import { readSchemas } from '../src/platform/database/migrations/read-schema.ts'
import { startTestServer } from '../testing/in-process/test-server.ts'
import { withDatabase } from '../testing/process/databases.ts'

await using server = await startTestServer(process.env['DATABASE_URL'])
const pool = createPool({ url: withDatabase(server.ownerUrl, server.template) })
try {
  await writeFile(join(import.meta.dirname, '../schema.sql'), await readSchemas(pool))
} finally {
  await pool.end()
}
