import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addShards } from '../../platform/database/migrations/migrate.ts'
import { isDatabaseUnavailable } from '../../platform/database/is-database-unavailable.ts'
import { sumUsage } from '../../engine/usage/show-usage.ts'
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
  companies: number
  /** Null if the shard is unavailable. */
  deliveries: number | null
  stored_bytes: number | null
}

async function readUsage(at: Context): Promise<Pick<ShardAnswer, 'deliveries' | 'stored_bytes'>> {
  try {
    const { deliveries, storedBytes } = await sumUsage(at)
    return { deliveries, stored_bytes: storedBytes }
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    return { deliveries: null, stored_bytes: null }
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
      companies,
      ...(await readUsage(shards.get(shard))),
    })),
  )
  const columns = ['shard', 'companies', 'deliveries', 'stored_bytes']
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
      description: 'add empty shards; new companies go to the shard with the fewest',
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
