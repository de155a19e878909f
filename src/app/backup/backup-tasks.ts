import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findRunningEmbedded } from '../../platform/database/find-running-embedded.ts'
import type { BackedUpContext } from './backed-up-context.ts'
import { tryLockForDeletion } from './base-lock.ts'
import { deleteOldBackups } from './delete-old-backups.ts'
import { rehearsedKey } from './layout.ts'
import { selectProvenTime } from './queries.ts'
import type { SealedStore } from './sealed-store.ts'
import { connectAsSuperuser } from './superuser.ts'

/** How far the proven time may be behind, in milliseconds, for anything to be deleted by it. */
const provenMsMax = 10 * 60_000
/** Below everything that answers calls. */
const niceness = 15

const main = join(import.meta.dirname, '../../main.ts')

/**
 * Runs a command of this program in a process of its own, which leaves this one its event loop and memory.
 *
 * @returns its answer
 * @throws Error with what it says of its failure
 */
async function runCommand(words: string[], signal: AbortSignal): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [main, ...words, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGTERM',
  })
  const output = text(child.stdout)
  const errors = text(child.stderr)
  const ended = once(child, 'close')
  if (child.pid !== undefined) setPriority(child.pid, niceness)
  const [code] = (await ended) as [number | null]
  const answer = await output
  if (answer === '')
    throw new Error((await errors).trim() || `"numera ${words.join(' ')}" ended with ${code}`)
  return JSON.parse(answer) as Record<string, unknown>
}

/** Deletes what is no longer kept, by the time that the expiry sweep has proven, while no base is taken. */
async function deleteOld(
  { config, log, pool, clock }: BackedUpContext,
  sealed: SealedStore,
  signal: AbortSignal,
): Promise<void> {
  const provenAt = (await selectProvenTime.first(pool, {}))?.time_proven_at
  const provenMs = provenAt?.getTime() ?? Number.NaN
  if (clock.fault?.() !== undefined || !(Math.abs(clock.now() - provenMs) < provenMsMax)) return
  const running = await findRunningEmbedded(config.dataFolder)
  if (running === undefined) return
  await using client = await connectAsSuperuser(running.adminUrl)
  if (!(await tryLockForDeletion(client))) return
  const deleted = await deleteOldBackups(sealed, provenMs, signal)
  if (deleted > 0) log.info({ deleted }, 'objects of old backups were deleted')
}

/** Takes a base, checks everything that is stored, and deletes what is no longer kept. @throws Error with why not */
export async function backUpAndCheck(
  context: BackedUpContext,
  sealed: SealedStore,
  signal: AbortSignal,
): Promise<void> {
  const { log, telemetry } = context
  const { base, sent_bytes: sentBytes } = await runCommand(['backup'], signal)
  log.info({ base, sentBytes }, 'a base was stored')
  const checked = await runCommand(['backup', 'check'], signal)
  const faults = checked['faults'] as string[]
  telemetry.backupFaults.set(faults.length)
  if (faults.length > 0) log.error({ faults, base: checked['base'] }, 'the backup is not whole')
  await deleteOld(context, sealed, signal)
}

/** Restores the latest state into a scratch folder, compares all samples, and deletes it. @throws Error with why not */
export async function rehearse(sealed: SealedStore, folder: string, signal: AbortSignal): Promise<void> {
  const scratch = await mkdtemp(join(folder, 'rehearsal-'))
  try {
    const restored = await runCommand(['restore', '--to', 'latest', '--folder', scratch], signal)
    const different = restored['sources_that_differ'] as number
    if (different !== 0) throw new Error(`${different} sources differ in a restored copy`)
    await sealed.put(rehearsedKey, Buffer.from(new Date().toISOString()))
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
