import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { createPool } from '../../src/platform/database/pool.ts'
import { toRole, runAlone, type TestServer, withDatabase } from './test-server.ts'

// Provided by testing/in-process/global-setup.ts.
declare module 'vitest' {
  export interface ProvidedContext {
    testServer: Pick<TestServer, 'adminUrl' | 'ownerUrl' | 'template' | 'keylessTemplate'>
  }
}

export interface TestDatabase extends AsyncDisposable {
  url: string
  pool: Pool
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
  const source = options.empty ? `template0 encoding 'UTF8' locale 'C'` : migrated
  await runAlone(adminUrl, `create database ${name} owner "${toRole(ownerUrl)}" template ${source}`)
  const url = withDatabase(ownerUrl, name)
  const pool = createPool({ url, name: 'numera test', pipelined: true })
  return {
    url,
    pool,
    [Symbol.asyncDispose]: async () => {
      if (!pool.ended) await pool.end()
      // Remaining connections belong to this test.
      await runAlone(adminUrl, `drop database ${name} with (force)`)
    },
  }
}
