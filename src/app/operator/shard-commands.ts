import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addShards } from '../../platform/database/migrations/migrate.ts'
import { isDatabaseUnavailable } from '../../platform/database/is-database-unavailable.ts'
import { sumUsage } from '../../engine/usage/show-usage.ts'
import { listShards } from '../../people/companies/find-shards.ts'
import type { AppContext } from '../app-context.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { moveCompany } from '../../engine/moves/move-company.ts'
import { MoveError } from '../../engine/moves/move-error.ts'
import { listMoves, type ListedMove } from '../../people/companies/moves/transitions.ts'
import { untilStopSignal } from '../until-stop-signal.ts'
import { addCommand, namedCompany, type CommandAnswer } from './add-command.ts'
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

/** @throws OperatorError for text that is not the number of a shard */
function parseShard(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new OperatorError('A shard is a number from 1.')
}

/** Why a company has not moved, in one sentence. */
function toOperatorError(error: unknown): unknown {
  return error instanceof MoveError ? new OperatorError(error.message, { showsExample: false }) : error
}

/** Aborts at Ctrl-C or SIGTERM, so that a move is undone before the command ends; a second signal ends it immediately. */
function untilCancelled(): AbortSignal {
  const cancelled = new AbortController()
  void untilStopSignal().then(() => cancelled.abort())
  return cancelled.signal
}

async function moveOne(
  context: AppContext,
  { company, to }: { company: string; to: string },
): Promise<CommandAnswer> {
  const { companyId, orgnr } = await namedCompany(context, company)
  const shard = parseShard(to)
  try {
    const moved = await moveCompany(context, { companyId, to: shard, signal: untilCancelled() })
    const heldMs = Math.round(moved.heldMs)
    return {
      json: { orgnr: formatOrgnr(orgnr), from: moved.from, to: shard, held_ms: heldMs },
      text: `Moved from shard ${moved.from} to shard ${shard}; deliveries waited for ${heldMs} ms at most.`,
    }
  } catch (error) {
    throw toOperatorError(error)
  }
}

/** `shards list`, `shards add`, `shards move-company` */
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
  addCommand<{ company: string; to: string }>(
    shards,
    {
      name: 'move-company',
      description: 'move a company to another shard while it sends; Ctrl-C leaves it where it is',
      example: '--company 556016-0680 --to 2',
      options: (command) =>
        command
          .requiredOption('--company <orgnr>', 'organisation number')
          .requiredOption('--to <shard>', 'the number of the shard'),
    },
    moveOne,
  )
}
