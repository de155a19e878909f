import type { Command } from 'commander'
import { listBases, listChecked } from '../backup/base.ts'
import { checkBackup } from '../backup/check-backup.ts'
import { checkOwnPostgres } from '../backup/check-own-postgres.ts'
import { openBackup } from '../backup/open-backup.ts'
import { createLogMarks } from '../backup/log-marks.ts'
import { readShippedTo, shipSegments } from '../backup/ship-segments.ts'
import { storeBase } from '../backup/store-base.ts'
import { recordDeploymentEvent } from '../../company/audit/record-deployment-event.ts'
import { findRunningEmbedded } from '../../platform/database/find-running-embedded.ts'
import { readConfig } from '../../platform/config/read-config.ts'
import { addPlainCommand, withContext, type CommandAnswer } from './add-command.ts'
import { OperatorError } from './operator-error.ts'
import { formatTable } from './table.ts'

/** How often what the database has archived meanwhile is stored, in milliseconds. */
const shipEveryMs = 500

const mebibyte = 1_048_576

/** @throws OperatorError for a PostgreSQL of the operator's own */
function readBackupConfig(): ReturnType<typeof readConfig> {
  const read = readConfig(process.env)
  if (!read.config.embeddedDatabase)
    throw new OperatorError(
      'DATABASE_URL names a PostgreSQL of your own: back it up by its own means, such as those in deploy/backup.',
      { showsExample: false },
    )
  return read
}

/** Stores segments until `work` is done: the service does so too, if one runs. */
async function whileShipping<Answer>(
  ship: () => Promise<unknown>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  let shipping = Promise.resolve<unknown>(undefined)
  let fault: unknown
  const timer = setInterval(() => {
    shipping = shipping.then(ship).catch((error: unknown) => (fault = error))
  }, shipEveryMs)
  try {
    return await work()
  } catch (error) {
    throw fault ?? error
  } finally {
    clearInterval(timer)
    await shipping
  }
}

async function backUp(): Promise<CommandAnswer> {
  const { config, secrets } = readBackupConfig()
  await using backup = await openBackup(config, secrets)
  const { sealed, hasOwnKey } = backup
  // Starts the database where no service runs.
  return await withContext(async (context) => {
    const { pool } = context
    const marks = createLogMarks(pool, await readShippedTo(sealed, config.dataFolder))
    const ship = async (): Promise<void> => {
      await marks.mark()
      await shipSegments({ sealed, dataFolder: config.dataFolder, marks })
    }
    const { adminUrl } = (await findRunningEmbedded(config.dataFolder))!
    const { name, bytes, sentBytes } = await whileShipping(ship, () =>
      storeBase(sealed, { dataFolder: config.dataFolder, adminUrl }, { withMasterKey: hasOwnKey }),
    )
    await recordDeploymentEvent(context, pool, 'backed_up', { base: name, bytes, sent_bytes: sentBytes })
    const [size, sent] = [bytes, sentBytes].map((each) => (each / mebibyte).toFixed(1))
    const text = `Stored the base ${name} in ${sealed.store.place}: ${size} MiB, of which ${sent} MiB were not there yet.`
    return { json: { base: name, bytes, sent_bytes: sentBytes }, text }
  })
}

async function list(): Promise<CommandAnswer> {
  const { config, secrets } = readBackupConfig()
  await using backup = await openBackup(config, secrets)
  const [bases, checked] = await Promise.all([listBases(backup.sealed), listChecked(backup.sealed)])
  const rows = bases.map(({ name, startedAt }) => ({
    base: name,
    started_at: startedAt.toISOString(),
    checked: checked.has(name),
  }))
  return {
    json: { bases: rows },
    text: formatTable(
      ['base', 'started at', 'checked'],
      rows.map(({ base, started_at, checked: isChecked }) => ({
        base,
        'started at': started_at,
        checked: isChecked ? 'whole' : 'no',
      })),
      'There is no base yet: "numera backup" takes one.',
    ),
  }
}

async function checkOwn(): Promise<CommandAnswer> {
  return await withContext(async ({ pool, clock }) => {
    const { archivedAt, failedAt, stanzas, faults } = await checkOwnPostgres(pool, clock.now())
    if (faults.length > 0) process.exitCode = 1
    const lines = stanzas.map(
      ({ name, status, backedUpAt }) =>
        `pgBackRest, ${name}: ${status}, last backup ${backedUpAt?.toISOString() ?? 'none'}.`,
    )
    return {
      json: {
        archived_at: archivedAt,
        failed_at: failedAt,
        stanzas: stanzas.map(({ name, status, backedUpAt }) => ({ name, status, backed_up_at: backedUpAt })),
        faults,
      },
      text: [...faults, `The log was last archived ${archivedAt?.toISOString() ?? 'never'}.`, ...lines].join(
        '\n',
      ),
    }
  })
}

async function check(): Promise<CommandAnswer> {
  if (!readConfig(process.env).config.embeddedDatabase) return checkOwn()
  const { config, secrets } = readBackupConfig()
  await using backup = await openBackup(config, secrets)
  const { base, restorableTo, objects, faults } = await checkBackup(backup.sealed)
  if (faults.length > 0) process.exitCode = 1
  const summary =
    base === undefined
      ? 'Nothing can be restored.'
      : `${objects} objects were read. Everything up to ${restorableTo!.toISOString()} can be restored, from the base ${base}.`
  return {
    json: { base: base ?? null, restorable_to: restorableTo?.toISOString() ?? null, objects, faults },
    text: [...faults, summary].join('\n'),
  }
}

/** `backup`, `backup list`, `backup check` */
export function addBackupCommands(program: Command): void {
  const backup = addPlainCommand(
    program,
    { name: 'backup', description: 'copy the built-in database to NUMERA_BACKUP, also while a service runs' },
    backUp,
  )
  addPlainCommand(backup, { name: 'list', description: 'list what can be restored' }, list)
  addPlainCommand(
    backup,
    {
      name: 'check',
      description: 'read and verify everything that is stored; exit code 1 if something is wrong',
    },
    check,
  )
}
