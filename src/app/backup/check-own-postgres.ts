import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { selectArchiver } from './queries.ts'

const run = promisify(execFile)

/** How long ago the log was last archived if all is well, in milliseconds: the service writes each minute. */
const archivedMsMax = 10 * 60_000
const pgBackRestMsMax = 30_000

export interface OwnBackup {
  archivedAt: Date | null
  /** When archiving last failed, if it has not succeeded since. */
  failedAt: Date | null
  /** Of each of pgBackRest's stanzas, where it is installed: what it says of it, and when its last backup ended. */
  stanzas: { name: string; status: string; backedUpAt: Date | null }[]
  /** What is wrong, a sentence each. */
  faults: string[]
}

interface Stanza {
  name: string
  status: { code: number; message: string }
  backup: { timestamp: { stop: number } }[]
}

async function readStanzas(): Promise<Stanza[]> {
  try {
    const { stdout } = await run('pgbackrest', ['info', '--output=json'], { timeout: pgBackRestMsMax })
    return JSON.parse(stdout) as Stanza[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** What a PostgreSQL of the operator's own says of archiving its log, and pgBackRest of its backups. */
export async function checkOwnPostgres(pool: Pool, nowMs: number): Promise<OwnBackup> {
  const row = (await selectArchiver.first(pool, {}))!
  const { archived_at: archivedAt } = row
  const failedAt =
    row.failed_at !== null && (archivedAt === null || row.failed_at > archivedAt) ? row.failed_at : null
  const stanzas = await readStanzas()
  const faults: string[] = []
  if (archivedAt === null) faults.push('The log was never archived: set archive_mode and archive_command.')
  else if (nowMs - archivedAt.getTime() > archivedMsMax)
    faults.push(`The log was last archived at ${archivedAt.toISOString()}.`)
  if (failedAt !== null)
    faults.push(`Archiving fails, last at ${failedAt.toISOString()}: see the server's log.`)
  for (const { name, status, backup } of stanzas) {
    if (status.code !== 0) faults.push(`pgBackRest says of ${name}: ${status.message}.`)
    else if (backup.length === 0) faults.push(`pgBackRest has no backup of ${name}.`)
  }
  return {
    archivedAt,
    failedAt,
    stanzas: stanzas.map(({ name, status, backup }) => {
      const last = backup.at(-1)
      return { name, status: status.message, backedUpAt: last ? new Date(last.timestamp.stop * 1_000) : null }
    }),
    faults,
  }
}
