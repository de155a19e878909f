import type { Command } from 'commander'
import { readConfig } from '../config/read-config.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'

const runMigrate = async (): Promise<void> => {
  const { config, secrets } = readConfig(process.env)
  await using database = await openDatabase(config, secrets, { shared: true })
  const { applied } = await migrate({ url: database.url })
  const told = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`
  process.stdout.write(`${told}\n`)
}

export const addMigrateCommand = (program: Command): void => {
  program
    .command('migrate')
    .description('bring the database up to this version; "serve" and "work" do so too')
    .action(runMigrate)
}
