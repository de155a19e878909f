import type { Command } from 'commander'
import { readConfig } from '../platform/config/read-config.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'

async function runMigrate(): Promise<void> {
  const { config, secrets } = readConfig(process.env)
  await using database = await openMigratedDatabase(config, secrets, { shared: true })
  const { applied } = database
  const message = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`
  process.stdout.write(`${message}\n`)
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to this version, creating it if needed; "serve" and "work" do so, too')
    .action(runMigrate)
}
