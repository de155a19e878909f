import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startEmbedded, type EmbeddedDatabase } from '../../platform/database/embedded.ts'
import { BackupError } from './backup-error.ts'
import { planRestore, type RestorePlan } from './plan-restore.ts'
import { restoreFiles, toRestoredLog } from './restore-files.ts'
import type { SealedStore } from './sealed-store.ts'

/** What may be in the folder: the key that the backup itself cannot contain. */
const expected = new Set(['master.key'])

/** @throws BackupError if there is anything that would be mixed with what is restored */
async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.some((name) => !expected.has(name)))
    throw new BackupError(`${folder} is not empty: name another folder, or move its content away.`)
}

/** Leaves the folder as it was found. */
async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (!expected.has(name)) await rm(join(folder, name), { recursive: true, force: true })
}

/** A word for the shell that PostgreSQL runs, in a setting in which `%` begins a placeholder. */
function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
}

/** PostgreSQL ends if it never meets a commit after the instant: then all that is stored is before it. */
const endedBefore = 'recovery ended before configured recovery target was reached'

async function recover(
  dataFolder: string,
  { reach }: RestorePlan,
  to: Date | 'latest',
  log: (message: string) => void,
): Promise<EmbeddedDatabase> {
  const settings = {
    restore_command: `cp ${quote(toRestoredLog(dataFolder))}/%f "%p"`,
    recovery_target_timeline: String(reach.timeline),
    recovery_target_action: 'promote',
    hot_standby: 'off',
  }
  const start = (further: Record<string, string>): Promise<EmbeddedDatabase> =>
    startEmbedded({ dataFolder, archives: true, settings: { ...settings, ...further }, log })
  if (to === 'latest') return start({})
  try {
    // PostgreSQL takes no T and no Z here.
    return await start({ recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00') })
  } catch (error) {
    if (!(error as Error).message.includes(endedBefore)) throw error
    return start({})
  }
}

export interface Restored {
  database: EmbeddedDatabase
  plan: RestorePlan
}

/**
 * Restores the built-in database as it was at an instant into a folder that is empty but for a master key, and leaves it
 * running. It begins a timeline of its own, so that its further log is not mixed with what is stored.
 *
 * @param timeline the one that leads to the instant, where restored copies have begun several; by default the newest
 * @throws BackupError with what there is, before anything is written, if the instant cannot be restored
 */
export async function restore(
  sealed: SealedStore,
  {
    to,
    folder,
    timeline,
    log = () => {},
  }: { to: Date | 'latest'; folder: string; timeline?: number; log?: (message: string) => void },
): Promise<Restored> {
  const dataFolder = resolve(folder)
  await requireEmpty(dataFolder)
  const plan = await planRestore(sealed, to, timeline)
  log(`restoring the base ${plan.name} and ${plan.reach.segments.length} segments of log`)
  try {
    await restoreFiles(sealed, plan, dataFolder)
    const database = await recover(dataFolder, plan, to, log)
    await rm(toRestoredLog(dataFolder), { recursive: true })
    return { database, plan }
  } catch (error) {
    await empty(dataFolder)
    throw error
  }
}
