import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { createPool } from '../../src/platform/database/pool.ts'
import { firstShard, toSearchPath, toShardSchema } from '../../src/platform/database/schemas.ts'
import { watchPlacements } from '../../src/platform/database/placements.ts'
import {
  createDatabaseOn,
  dropDatabaseFrom,
  isOnCitus,
  runAlone,
  withDatabase,
} from '../process/databases.ts'
import { toRole, type TestServer } from './test-server.ts'

// Provided by testing/in-process/global-setup.ts.
declare module 'vitest' {
  export interface ProvidedContext {
    testServer: Pick<TestServer, 'adminUrl' | 'ownerUrl' | 'template' | 'keylessTemplate'>
  }
}

export interface TestDatabase extends AsyncDisposable {
  url: string
  pool: Pool
  /** Runs statements that change tables of the first shard: on Citus only the coordinator may, and triggers need a setting. */
  alter(...statements: string[]): Promise<void>
}

/**
 * A database of the caller's own, with all migrations applied (`empty`: with none) and the tests' keys (`keyless`: with
 * none), for a `*.service.test.ts`.
 * Say `await using database = await createTestDatabase()`, or dispose of it in `afterAll`.
 */
export const createTestDatabase = async (
  options: { empty?: boolean; keyless?: boolean } = {},
): Promise<TestDatabase> => {
  const { adminUrl, ownerUrl, template, keylessTemplate } = inject('testServer')
  const name = `numera_test_${randomBytes(6).toString('hex')}`
  const migrated = options.keyless ? keylessTemplate : template
  const owner = toRole(ownerUrl)
  await createDatabaseOn(adminUrl, name, options.empty ? { owner } : { owner, template: migrated })
  const url = withDatabase(ownerUrl, name)
  // As in production, pools connect to the node of their schema.
  const placements = isOnCitus() ? await watchPlacements(url) : undefined
  const pool = createPool({ url, name: 'numera test', pipelined: true })
  return {
    url,
    pool,
    alter: async (...statements) => {
      const settings = [
        `set search_path = ${toSearchPath(toShardSchema(firstShard))}`,
        ...(isOnCitus() ? ['set citus.enable_unsafe_triggers = on'] : []),
      ]
      await runAlone(url, ...settings, ...statements)
    },
    [Symbol.asyncDispose]: async () => {
      if (!pool.ended) await pool.end()
      await placements?.[Symbol.asyncDispose]()
      // Remaining connections belong to this test.
      await dropDatabaseFrom(adminUrl, name)
    },
  }
}
