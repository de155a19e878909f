import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findRunningEmbedded } from '../../platform/database/find-running-embedded.ts'
import { selectProvenTime } from '../queries.ts'
import { listBases, listChecked } from './base.ts'
import { tryLockForDeletion } from './base-lock.ts'
import { deleteOldBackups } from './delete-old-backups.ts'
import { rehearsedKey } from './layout.ts'
import type { SealedStore } from './sealed-store.ts'
import type { BackedUpContext } from './start-backup.ts'
import { connectAsSuperuser } from './superuser.ts'

const hourMs = 3_600_000
/** How often to look whether something is due, in milliseconds. */
const lookEveryMs = 60_000
const baseEveryMs = 24 * hourMs
const rehearsalEveryMs = 7 * 24 * hourMs
/** How long a failed part is left alone, in milliseconds. */
const retryAfterMs = hourMs
/** How far the proven time may be behind, in milliseconds, for anything to be deleted by it. */
const provenMsMax = 10 * 60_000
/** Below everything that answers calls. */
const niceness = 15

const main = join(import.meta.dirname, '../../main.ts')

interface Ended {
  code: number | null
  output: string
  errors: string
}

/** Runs a command of this program in a process of its own, which leaves this one its event loop and memory. */
async function runCommand(words: string[], signal: AbortSignal): Promise<Ended> {
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
  return { code, output: await output, errors: await errors }
}

/**
 * Once a day takes a base, checks everything that is stored, and deletes what is no longer kept; once a week restores it into
 * a scratch folder, where one is configured. Only of the process that has the database.
 */
export function startKeepingBases(context: BackedUpContext, sealed: SealedStore): AsyncDisposable {
  const { config, log, telemetry, pool, clock } = context
  const { dataFolder, backupRehearsalFolder } = config
  const stopping = new AbortController()
  const { signal } = stopping
  const retryAtMs = new Map<string, number>()

  /** @throws Error with what a command says of its failure */
  const run = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { code, output, errors } = await runCommand(words, signal)
    if (output === '') throw new Error(errors.trim() || `"numera ${words.join(' ')}" ended with ${code}`)
    return JSON.parse(output) as Record<string, unknown>
  }

  const deleteOld = async (): Promise<void> => {
    const provenAt = (await selectProvenTime.first(pool, {}))?.time_proven_at
    const provenMs = provenAt?.getTime() ?? Number.NaN
    if (clock.fault?.() !== undefined || !(Math.abs(clock.now() - provenMs) < provenMsMax)) return
    const running = await findRunningEmbedded(dataFolder)
    if (running === undefined) return
    await using client = await connectAsSuperuser(running.adminUrl)
    if (!(await tryLockForDeletion(client))) return
    const deleted = await deleteOldBackups(sealed, provenMs, signal)
    if (deleted > 0) log.info({ deleted }, 'objects of old backups were deleted')
  }

  const takeAndCheck = async (): Promise<void> => {
    const { base, sent_bytes: sentBytes } = await run('backup')
    log.info({ base, sentBytes }, 'a base was stored')
    const { faults, base: whole } = await run('backup', 'check')
    telemetry.backupFaults.set((faults as string[]).length)
    if ((faults as string[]).length > 0) log.error({ faults, base: whole }, 'the backup is not whole')
    await deleteOld()
  }

  const rehearse = async (folder: string): Promise<void> => {
    const scratch = await mkdtemp(join(folder, 'rehearsal-'))
    try {
      const { sources_that_differ: different } = await run('restore', '--to', 'latest', '--folder', scratch)
      if (different !== 0) throw new Error(`${different as number} sources differ in a restored copy`)
      await sealed.put(rehearsedKey, Buffer.from(new Date().toISOString()))
    } finally {
      await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    }
  }

  /** A failure is tried again in an hour, and keeps nothing else. */
  const attempt = async (what: string, act: () => Promise<void>): Promise<void> => {
    if (performance.now() < (retryAtMs.get(what) ?? 0)) return
    retryAtMs.set(what, performance.now() + retryAfterMs)
    try {
      await act()
      retryAtMs.delete(what)
    } catch (error) {
      if (!signal.aborted) log.error({ reason: (error as Error).message }, `${what} failed`)
    }
  }

  const readRehearsedMs = async (): Promise<number> =>
    Date.parse((await sealed.get(rehearsedKey))?.toString('utf8') ?? '')

  const look = async (): Promise<void> => {
    const [bases, checked] = await Promise.all([listBases(sealed), listChecked(sealed)])
    const whole = bases.findLast(({ name }) => checked.has(name))
    if (whole !== undefined) telemetry.backupLastBase.set(whole.startedAt.getTime() / 1_000)
    if (!(Date.now() - (whole?.startedAt.getTime() ?? 0) < baseEveryMs))
      await attempt('a backup', takeAndCheck)
    if (backupRehearsalFolder === undefined) return
    const rehearsedMs = await readRehearsedMs()
    if (!Number.isNaN(rehearsedMs)) telemetry.backupLastRehearsal.set(rehearsedMs / 1_000)
    if (!(Date.now() - rehearsedMs < rehearsalEveryMs))
      await attempt('the rehearsal of a restore', () => rehearse(backupRehearsalFolder))
  }

  let running: Promise<void> | undefined
  const begin = (): void => {
    running ??= look()
      .catch((error: unknown) => {
        if (!signal.aborted)
          log.warn({ reason: (error as Error).message }, 'the backup could not be looked at')
      })
      .finally(() => (running = undefined))
  }
  const timer = setInterval(begin, lookEveryMs)
  begin()
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
