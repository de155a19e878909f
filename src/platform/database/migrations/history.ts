import type { Client } from 'pg'
import { isOlderRelease, release } from '../../config/release.ts'
import type { MigrationFile } from './migration-files.ts'

/** What a schema's table `migrations` has of one that was run. */
export interface AppliedMigration {
  number: number
  name: string
  sha256: string
  /** As in `MigrationFile`. */
  contract: string | null
}

export function toLabel(schema: string, migration: { number: number; name: string }): string {
  return `${schema}/${String(migration.number).padStart(6, '0')}_${migration.name}`
}

/**
 * Why processes of this release cannot work on a schema any more: a contract of a later release, which they do not know,
 * has been run. Newer expands are no reason.
 *
 * @returns undefined if there is no such contract
 */
export function findPassedBy(
  schema: string,
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): string | undefined {
  const passing = applied.find(
    ({ number, contract }) =>
      files[number - 1] === undefined && contract !== null && isOlderRelease(release, contract),
  )
  if (passing === undefined) return undefined
  return (
    `The database has the contract ${toLabel(schema, passing)} of release ${passing.contract}, and this process is of ` +
    `${release}: start release ${passing.contract} or a later one in its place.`
  )
}

/** @throws Error where the schema has other migrations than these, or a contract that ends this release */
function checkHistory(schema: string, files: readonly MigrationFile[], applied: AppliedMigration[]): void {
  const passedBy = findPassedBy(schema, files, applied)
  if (passedBy !== undefined) throw new Error(passedBy)
  for (const migration of applied) {
    const file = files[migration.number - 1]
    // An expand of a later release.
    if (file === undefined || file.sha256 === migration.sha256) continue
    throw new Error(
      `migration ${toLabel(schema, file)} was changed after it was applied to this database. ` +
        `Restore the file and put the change into a new one.`,
    )
  }
}

/** Whether a schema has its table of migrations. */
export async function isPresent(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('${schema}.migrations') is not null as present`,
  )
  return rows[0]!.present
}

/** In order; none if the schema does not exist. */
export async function readApplied(client: Client, schema: string): Promise<AppliedMigration[]> {
  if (!(await isPresent(client, schema))) return []
  // The column is missing until a database from before release 0.2.0 is migrated.
  const { rows } = await client.query<AppliedMigration>(
    `select number, name, sha256, to_jsonb(migrations) ->> 'contract' as contract
     from ${schema}.migrations as migrations order by number`,
  )
  return rows
}

/** The files that a schema lacks, in order: all of them if it does not exist. */
export async function readMissing(
  client: Client,
  schema: string,
  files: readonly MigrationFile[],
): Promise<MigrationFile[]> {
  const applied = await readApplied(client, schema)
  checkHistory(schema, files, applied)
  const numbers = new Set(applied.map(({ number }) => number))
  return files.filter(({ number }) => !numbers.has(number))
}
