import { randomBytes } from 'node:crypto'
import { createDatabaseOn, dropDatabaseFrom, withDatabase } from './databases.ts'

/** Creates a database on a server, which is dropped when disposed of. */
export async function createDatabase(
  server: string,
  template?: string,
): Promise<{ url: string; name: string } & AsyncDisposable> {
  const name = `numera_acceptance_${randomBytes(6).toString('hex')}`
  await createDatabaseOn(server, name, template === undefined ? {} : { template })
  return {
    url: withDatabase(server, name),
    name,
    [Symbol.asyncDispose]: () => dropDatabaseFrom(server, name),
  }
}
