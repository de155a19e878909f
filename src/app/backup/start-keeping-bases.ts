import type { BackedUpContext } from './backed-up-context.ts'
import { listBases, listChecked } from './base.ts'
import { rehearse, backUpAndCheck } from './backup-tasks.ts'
import { rehearsedKey } from './layout.ts'
import type { SealedStore } from './sealed-store.ts'

const hourMs = 3_600_000
/** How often to look whether something is due, in milliseconds. */
const lookEveryMs = 60_000
const baseEveryMs = 24 * hourMs
const rehearsalEveryMs = 7 * 24 * hourMs
/** How long a failed task is left alone, in milliseconds. */
const retryAfterMs = hourMs

/**
 * Once a day takes a base, checks everything that is stored, and deletes what is no longer kept; once a week restores it into
 * a scratch folder, where one is configured. Only of the process that has the database.
 */
export function startKeepingBases(context: BackedUpContext, sealed: SealedStore): AsyncDisposable {
  const { log, telemetry } = context
  const folder = context.config.backupRehearsalFolder
  const stopping = new AbortController()
  const { signal } = stopping
  const retryAtMs = new Map<string, number>()

  /** A failure keeps nothing else. */
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

  const look = async (): Promise<void> => {
    const [bases, checked] = await Promise.all([listBases(sealed), listChecked(sealed)])
    const whole = bases.findLast(({ name }) => checked.has(name))
    if (whole !== undefined) telemetry.backupLastBase.set(whole.startedAt.getTime() / 1_000)
    if (!(Date.now() - (whole?.startedAt.getTime() ?? 0) < baseEveryMs))
      await attempt('a backup', () => backUpAndCheck(context, sealed, signal))
    if (folder === undefined) return
    const rehearsedMs = Date.parse((await sealed.get(rehearsedKey))?.toString('utf8') ?? '')
    if (!Number.isNaN(rehearsedMs)) telemetry.backupLastRehearsal.set(rehearsedMs / 1_000)
    if (!(Date.now() - rehearsedMs < rehearsalEveryMs))
      await attempt('the rehearsal of a restore', () => rehearse(sealed, folder, signal))
  }

  let running: Promise<void> | undefined
  const begin = (): void => {
    running ??= look()
      .catch((error: unknown) => {
        const reason = (error as Error).message
        if (!signal.aborted) log.warn({ reason }, 'it is unknown whether a backup is due')
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
