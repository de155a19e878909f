import type { Pool } from 'pg'
import { afterAll } from 'vitest'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { buildApp, type BuildAppOptions } from '../../src/app/app.ts'
import type { App } from '../../src/platform/http/contract.ts'
import { createTestContext, type TestContext } from './test-context.ts'

export interface TestService {
  database: TestDatabase
  context: TestContext
  app: App
  /** The app's own connections, which see no shard. */
  directory: Pool
}

/**
 * The whole service on a database of its own, for the tests of one file. To be called while the file is read, at its top; it
 * ends after the file's last test.
 */
export const startTestService = async ({
  environment = {},
  ...options
}: { environment?: NodeJS.ProcessEnv } & BuildAppOptions = {}): Promise<TestService> => {
  const database = await createTestDatabase()
  const context = createTestContext(database.pool, { environment })
  // As in production, only the context of a shard sees the shard's tables.
  const directory = createPool({ url: database.url, schema: 'access', name: 'numera test' })
  const app = await buildApp(
    { ...context, acceptPool: directory, readPool: directory, pool: directory },
    options,
  )
  afterAll(async () => {
    await app.close()
    await directory.end()
    await database[Symbol.asyncDispose]()
  })
  return { database, context, app, directory }
}
