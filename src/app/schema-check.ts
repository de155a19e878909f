import { join } from 'node:path'
import type { AppContext } from './app-context.ts'
import { isDatabaseUnavailable } from '../platform/database/is-database-unavailable.ts'
import { findPassedBy } from '../platform/database/migrations/history.ts'
import { migrationsFolder, readMigrationFiles } from '../platform/database/migrations/migration-files.ts'
import { readAppliedMigrations, readAppliedOfShard, type AppliedRow } from './queries.ts'

export interface SchemaCheck {
  /** How many migrations of each schema this process knows. */
  readonly known: Readonly<Record<AppliedRow['schema'], number>>
  /**
   * Compares them with the database's, over the accept pools. Newer expands are no difference.
   *
   * @returns a text where a contract ended this process's release; false where the database lacks an expand
   */
  check: () => Promise<boolean | string>
}

/** A shard that is unavailable concerns its companies: it makes the process unready only if there is no other. */
async function readAppliedOfShards({ shards }: AppContext): Promise<AppliedRow[]> {
  const contexts = await shards.list()
  const reads = contexts.map(async (at) => {
    try {
      return await readAppliedOfShard.rows(at.acceptPool, {})
    } catch (error) {
      if (contexts.length === 1 || !isDatabaseUnavailable(error)) throw error
      return []
    }
  })
  return (await Promise.all(reads)).flat()
}

/** Reads the migrations of this process's release. */
export async function createSchemaCheck(context: AppContext): Promise<SchemaCheck> {
  const [directory, access, shard] = await Promise.all(
    ['directory', 'access', 'shard'].map((schema) => readMigrationFiles(join(migrationsFolder, schema))),
  )
  const files = { directory: directory!, access: access!, shard: shard! }
  return {
    known: { directory: directory!.length, access: access!.length, shard: shard!.length },
    check: async () => {
      const rows = [
        ...(await readAppliedMigrations.rows(context.acceptPool, {})),
        ...(await readAppliedOfShards(context)),
      ]
      for (const { schema, migrations } of rows) {
        const passedBy = findPassedBy(schema, files[schema], migrations ?? [])
        if (passedBy !== undefined) return passedBy
      }
      return rows.every(({ schema, migrations }) => {
        const applied = new Map((migrations ?? []).map(({ number, sha256 }) => [number, sha256]))
        return files[schema].every(
          ({ number, sha256, contract }) =>
            applied.get(number) === sha256 || (contract !== null && !applied.has(number)),
        )
      })
    },
  }
}
