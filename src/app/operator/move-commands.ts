import type { Command } from 'commander'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { moveCompany } from '../../engine/moves/move-company.ts'
import { MoveError } from '../../engine/moves/move-error.ts'
import { splitShard } from '../../engine/moves/split-shard.ts'
import { findCompanyById } from '../../people/companies/find-company.ts'
import type { AppContext } from '../app-context.ts'
import { untilStopSignal } from '../until-stop-signal.ts'
import { addCommand, namedCompany, type CommandAnswer } from './add-command.ts'
import { OperatorError } from './operator-error.ts'
import { parseWholeNumber } from './read-input.ts'

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
  { company, to: shard }: { company: string; to: number },
): Promise<CommandAnswer> {
  const { companyId, orgnr } = await namedCompany(context, company)
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

interface MovedAnswer {
  orgnr: string
  stored_bytes: number
  held_ms: number
}

async function split(
  context: AppContext,
  { shard: from, to }: { shard: number; to: number },
): Promise<CommandAnswer> {
  const moved: MovedAnswer[] = []
  try {
    for await (const { companyId, bytes, heldMs } of splitShard(context, {
      from,
      to,
      signal: untilCancelled(),
    })) {
      const { orgnr } = (await findCompanyById(context.pool, companyId))!
      moved.push({ orgnr: formatOrgnr(orgnr), stored_bytes: bytes, held_ms: Math.round(heldMs) })
    }
  } catch (error) {
    throw toOperatorError(error)
  }
  const bytes = moved.reduce((sum, company) => sum + company.stored_bytes, 0)
  return {
    json: { from, to, moved },
    text: `Moved ${moved.length} companies with ${bytes} stored bytes from shard ${from} to shard ${to}.`,
  }
}

/** `shards move-company`, `shards split` */
export function addMoveCommands(shards: Command): void {
  addCommand<{ company: string; to: number }>(
    shards,
    {
      name: 'move-company',
      description: 'move a company to another shard while it sends; Ctrl-C leaves it where it is',
      example: '--company 556016-0680 --to 2',
      options: (command) =>
        command
          .requiredOption('--company <orgnr>', 'organisation number')
          .requiredOption('--to <shard>', 'the number of the shard', parseWholeNumber),
    },
    moveOne,
  )
  addCommand<{ shard: number; to: number }>(
    shards,
    {
      name: 'split',
      description: 'move companies to another shard until both have about as many stored bytes',
      example: '--shard 1 --to 2',
      options: (command) =>
        command
          .requiredOption('--shard <shard>', 'the number of the shard that companies leave', parseWholeNumber)
          .requiredOption('--to <shard>', 'the number of the shard that they move to', parseWholeNumber),
    },
    split,
  )
}
