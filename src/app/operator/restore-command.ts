import type { Command } from 'commander'
import { restore } from '../backup/restore.ts'
import { openBackup } from '../backup/open-backup.ts'
import { recordDeploymentEvent } from '../../company/audit/record-deployment-event.ts'
import { findLastReceivedAt } from '../../engine/deliveries/store/find-last-received-at.ts'
import { readConfig } from '../../platform/config/read-config.ts'
import { stopTokens } from '../../oauth/token/token-switch.ts'
import type { AppContext } from '../app-context.ts'
import { addPlainCommand, withContext, type CommandAnswer } from './add-command.ts'
import { OperatorError } from './operator-error.ts'
import { checkRebuild } from './rebuild-command.ts'

interface RestoreOptions {
  to: string
  folder?: string
  timeline?: string
}

function readInstant(text: string): Date | 'latest' {
  if (text === 'latest') return 'latest'
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds)
  } catch {
    throw new OperatorError('--to is an instant with its offset, such as 2026-11-24T10:00:00Z, or "latest".')
  }
}

function readTimeline(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new OperatorError('--timeline is a number.')
}

/** When the last delivery was received that the restored database has, in any shard. */
async function readLastReceivedAt(context: AppContext): Promise<Date | undefined> {
  const found: Date[] = []
  for (const { pool } of await context.shards.list()) {
    const receivedAt = await findLastReceivedAt(pool)
    if (receivedAt !== undefined) found.push(receivedAt)
  }
  return found.toSorted((one, other) => one.getTime() - other.getTime()).at(-1)
}

async function run({ to: toText, folder, timeline }: RestoreOptions): Promise<CommandAnswer> {
  const { config, secrets } = readConfig(process.env)
  const dataFolder = folder ?? config.dataFolder
  const to = readInstant(toText)
  await using backup = await openBackup(config, secrets)
  const { plan, database } = await restore(backup.sealed, {
    to,
    folder: dataFolder,
    ...(timeline === undefined ? {} : { timeline: readTimeline(timeline) }),
    log: (message) => process.stderr.write(`${message}\n`),
  })
  await using _ = database
  const restoredTo = (to === 'latest' ? plan.endsAt : to).toISOString()
  const environment: NodeJS.ProcessEnv = { ...process.env, NUMERA_DATA_FOLDER: dataFolder }
  delete environment['DATABASE_URL']
  const { checked, last } = await withContext(async (context) => {
    await stopTokens(context)
    await recordDeploymentEvent(context, context.pool, 'restored', {
      base: plan.name,
      restored_to: restoredTo,
    })
    return { checked: await checkRebuild(context), last: await readLastReceivedAt(context) }
  }, environment)
  if (checked.different > 0) process.exitCode = 1
  return {
    json: {
      folder: dataFolder,
      base: plan.name,
      timeline: plan.reach.timeline,
      restored_to: restoredTo,
      last_delivery_at: last?.toISOString() ?? null,
      log_ends_at: plan.endsAt.toISOString(),
      sources_compared: checked.sources,
      sources_that_differ: checked.different,
    },
    text: [
      to === 'latest'
        ? `Restored all that is stored into ${dataFolder}, from the base ${plan.name}: everything before ${restoredTo}, and perhaps more.`
        : `Restored ${dataFolder} as it was at ${restoredTo}, from the base ${plan.name}.`,
      `The last delivery was received ${last === undefined ? 'never' : `at ${last.toISOString()}`}. rebuild --check: ${checked.sources} sources, ${checked.different} of them differ.`,
      `What was done later is undone: deliveries that senders do not repeat, revoked connections and apps, ended memberships and ` +
        'sessions, new secrets and credentials, signatures, deleted companies. Do it again before you continue.',
      'No tokens are issued until "numera tokens resume".',
    ].join('\n'),
  }
}

/** `restore` */
export function addRestoreCommand(program: Command): void {
  addPlainCommand<RestoreOptions>(
    program,
    {
      name: 'restore',
      description: 'restore the built-in database from NUMERA_BACKUP into an empty folder',
      example: '--to 2026-11-24T10:00:00Z',
      options: (command) =>
        command
          .requiredOption('--to <instant>', 'the instant, with its offset, or "latest"')
          .option('--folder <folder>', 'instead of NUMERA_DATA_FOLDER; empty but for master.key')
          .option('--timeline <number>', 'where restored copies have begun several: the one to follow'),
    },
    run,
  )
}
