/**
 * Writes schema.sql: what all migrations together make. Uses the server at DATABASE_URL where that is set (its
 * user must be allowed to create databases), else one of its own that ends with it.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPool } from '../src/database/pool.ts'
import { readSchema } from '../src/database/read-schema.ts'
import { startTestServer, withDatabase } from '../src/testing/test-server.ts'

await using server = await startTestServer(process.env['DATABASE_URL'])
const pool = createPool({ url: withDatabase(server.ownerUrl, server.template) })
try {
  await writeFile(join(import.meta.dirname, '../schema.sql'), await readSchema(pool))
} finally {
  await pool.end()
}
