import type { Command } from 'commander'
import { databaseTimeMs } from '../platform/clock/database-time.ts'
import { readConfig } from '../platform/config/read-config.ts'
import { isOlderRelease } from '../platform/config/release.ts'
import { runContracts } from '../platform/database/migrations/migrate.ts'
import { createPool, endPool } from '../platform/database/pool.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { selectRunningReleases } from './queries.ts'
import { processSilentMsMax } from './record-process.ts'

interface MigrateCommandOptions {
  contract?: boolean
}

/** The processes of releases before `before` that were seen within the last minute, in a line for each release. */
async function findOlder(url: string, before: string): Promise<string[]> {
  const pool = createPool({ url, schema: 'access', connectionsMax: 1, name: 'numera migrate' })
  try {
    const nowMs = await databaseTimeMs(pool)
    const running = await selectRunningReleases.rows(pool, { since: new Date(nowMs - processSilentMsMax) })
    return running
      .filter(({ release }) => isOlderRelease(release, before))
      .map(({ release, processes, directory, access, shard, seen_at: seenAt }) => {
        const seconds = Math.max(0, Math.round((nowMs - seenAt.getTime()) / 1_000))
        const known = `directory ${directory}, access ${access}, shard ${shard}`
        return `${release}: ${processes} (last seen ${seconds} s ago; migrations known: ${known})`
      })
  } finally {
    await endPool(pool)
  }
}

function describeApplied(applied: readonly string[], none: string): string {
  return applied.length === 0 ? none : `Applied ${applied.join(', ')}.`
}

async function runMigrate({ contract = false }: MigrateCommandOptions): Promise<void> {
  const { config, secrets } = readConfig(process.env)
  await using database = await openMigratedDatabase(config, secrets, { shared: true, existing: contract })
  const { url } = database
  if (!contract) {
    process.stdout.write(`${describeApplied(database.applied, 'The database is up to date.')}\n`)
    return
  }
  const { applied, older } = await runContracts({ url, findOlder: (before) => findOlder(url, before) })
  if (older.length > 0) {
    throw new Error(
      `Processes of older releases run, or did within the last minute:\n${older.join('\n')}\n` +
        'Stop them, and run this again. Nothing was changed.',
    )
  }
  process.stdout.write(`${describeApplied(applied, 'There is no contract to run.')}\n`)
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to this version, creating it if needed; "serve" and "work" do so, too')
    .option('--contract', 'remove what only older releases need, once none of their processes runs')
    .action(runMigrate)
}
