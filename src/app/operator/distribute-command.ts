import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { listShards } from '../../people/companies/find-shards.ts'
import { addShards, migrate } from '../../platform/database/migrations/migrate.ts'
import { createPool, endPool } from '../../platform/database/pool.ts'
import type { AppContext } from '../app-context.ts'
import { copyDatabase, CopyError, countRows, findServices } from '../distribute/copy-database.ts'
import { addCommand, type CommandAnswer } from './add-command.ts'
import { OperatorError } from './operator-error.ts'
import { formatTable } from './table.ts'

interface DistributeOptions {
  to: string
  dryRun?: true
}

async function readUrl(given: string): Promise<string> {
  const url = given === '-' ? (await text(process.stdin)).trim() : given
  if (/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? '')) return url
  throw new OperatorError('--to is a URL like postgresql://user@host:5432/database.')
}

async function requireNoServices(url: string): Promise<void> {
  const services = await findServices(url)
  if (services.length === 0) return
  throw new OperatorError(`Stop the services first: there are connections of "${services.join('", "')}".`, {
    showsExample: false,
  })
}

/** Makes the schemas of the other database those of this one, without rows. */
async function createSchemas(url: string, shards: readonly number[]): Promise<void> {
  await migrate({ url })
  const pool = createPool({ url, schema: 'access', connectionsMax: 1, name: 'numera distribute' })
  const present = (await listShards(pool).finally(() => endPool(pool))).length
  if (present < shards.length) await addShards({ url, count: shards.length - present })
}

async function distribute({ pool }: AppContext, { to, dryRun }: DistributeOptions): Promise<CommandAnswer> {
  const from = pool.options.connectionString!
  const url = await readUrl(to)
  const shards = (await listShards(pool)).map(({ shard }) => shard)
  if (dryRun === true) {
    const tables = await countRows(from, shards)
    const shown = tables.map(({ table, rows }) => ({ table, rows: String(rows) }))
    return { json: { tables }, text: formatTable(['table', 'rows'], shown, '') }
  }
  await requireNoServices(from)
  await createSchemas(url, shards)
  await requireNoServices(url)
  const { tables, rows, copiedBefore } = await copyDatabase({ from, to: url }, shards).catch(
    (error: unknown) => {
      if (!(error instanceof CopyError)) throw error
      throw new OperatorError(error.message, { showsExample: false })
    },
  )
  return {
    json: { tables, rows, tables_copied_before: copiedBefore },
    text:
      `Copied ${rows} rows of ${tables} tables, and compared them. Start the services with DATABASE_URL set to the other ` +
      'database and NUMERA_MASTER_KEY to the key of this one. This one was not changed.',
  }
}

/** `distribute` */
export function addDistributeCommand(program: Command): void {
  addCommand<DistributeOptions>(
    program,
    {
      name: 'distribute',
      description: 'copy the deployment into another, empty database: one with Citus, or any other',
      example: '--to postgresql://numera@coordinator/numera',
      options: (command) =>
        command
          .requiredOption('--to <url>', 'the other database; "-" reads it from standard input')
          .option('--dry-run', 'only list what would be copied'),
    },
    distribute,
  )
}
