import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addShards } from '../../platform/database/migrations/migrate.ts'
import { toSchemaUrl } from '../../platform/database/placements.ts'
import { toShardSchema } from '../../platform/database/schemas.ts'
import { isDatabaseUnavailable } from '../../platform/database/is-database-unavailable.ts'
import { readDeliveryRate, sumUsage } from '../../engine/usage/show-usage.ts'
import { listShards } from '../../people/companies/find-shards.ts'
import type { AppContext } from '../app-context.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { listMoves, type ListedMove } from '../../people/companies/moves/transitions.ts'
import { addCommand, type CommandAnswer } from './add-command.ts'
import { addMoveCommands } from './move-commands.ts'
import { OperatorError } from './operator-error.ts'
import { formatTable } from './table.ts'

/** Shards that one call adds. */
const addedMax = 64

interface ShardAnswer {
  shard: number
  /** The server that has it. */
  node: string
  companies: number
  /** Null if the shard is unavailable. */
  deliveries: number | null
  /** On average over the last minute. */
  deliveries_per_second: number | null
  stored_bytes: number | null
}

/** The host and port of a database's URL, or the folder of its socket. */
function toNode(url: string): string {
  const { host, searchParams } = new URL(url)
  return searchParams.get('host') ?? host
}

type UsageAnswer = Pick<ShardAnswer, 'deliveries' | 'deliveries_per_second' | 'stored_bytes'>

async function readUsage(at: Context): Promise<UsageAnswer> {
  try {
    const [{ deliveries, storedBytes }, rate] = await Promise.all([sumUsage(at), readDeliveryRate(at)])
    return { deliveries, deliveries_per_second: Number(rate.toFixed(2)), stored_bytes: storedBytes }
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    return { deliveries: null, deliveries_per_second: null, stored_bytes: null }
  }
}

/** A move that is under way, or of which something is left. */
function toMoveAnswer({ orgnr, from, to, phase }: ListedMove) {
  return { orgnr: formatOrgnr(orgnr), from, to, phase }
}

async function list({ pool, shards }: AppContext): Promise<CommandAnswer> {
  const rows = await listShards(pool)
  const moves = (await listMoves(pool)).map(toMoveAnswer)
  const answers: ShardAnswer[] = await Promise.all(
    rows.map(async ({ shard, companies }) => ({
      shard,
      node: toNode(toSchemaUrl(pool.options.connectionString!, toShardSchema(shard))),
      companies,
      ...(await readUsage(shards.get(shard))),
    })),
  )
  const columns = ['shard', 'node', 'companies', 'deliveries', 'deliveries_per_second', 'stored_bytes']
  const shown = answers.map((answer) =>
    Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value ?? 'unavailable')])),
  )
  const tables = [formatTable(columns, shown, '')]
  if (moves.length > 0) {
    const shownMoves = moves.map((move) => ({ ...move, from: String(move.from), to: String(move.to) }))
    tables.push('', formatTable(['orgnr', 'from', 'to', 'phase'], shownMoves, ''))
  }
  return { json: { shards: answers, moves }, text: tables.join('\n') }
}

/** @throws OperatorError for text that is not a number of shards */
function parseCount(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= addedMax) return count
  throw new OperatorError(`--count is a number from 1 to ${addedMax}.`)
}

/** `shards list`, `shards add`, and those of `move-commands.ts` */
export function addShardCommands(program: Command): void {
  const shards = program
    .command('shards')
    .description('list and add shards, the schemas that deliveries are stored in')
  addCommand(
    shards,
    { name: 'list', description: 'list the shards with their companies and deliveries' },
    list,
  )
  addCommand<{ count: string }>(
    shards,
    {
      name: 'add',
      description: 'add empty shards; new companies go to the shard with most room',
      example: '--count 4',
      options: (command) => command.requiredOption('--count <number>', `how many, up to ${addedMax}`),
    },
    async ({ pool, clock }, { count }) => {
      const url = pool.options.connectionString!
      const added = await addShards({ url, count: parseCount(count), now: () => clock.now() })
      return { json: { added }, text: `Added ${added.map((shard) => `shard ${shard}`).join(', ')}.` }
    },
  )
  addMoveCommands(shards)
}
