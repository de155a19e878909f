import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../src/platform/clock/clock.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { replaceProcess } from '../../src/app/restart-after-fault.ts'
import { removeDemo, requireDemoFolder } from './demo-folder.ts'

/** How often the time of a nightly reset is checked. Milliseconds. */
const resetPollEveryMs = 20_000

/**
 * Deletes the demo, after a confirmation at the terminal or with `--yes`.
 *
 * @throws Error without a confirmation, or as `requireDemoFolder`; nothing was changed
 */
export async function resetDemo(config: Config, options: { yes: boolean }): Promise<void> {
  await requireDemoFolder(config)
  if (!options.yes) {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new Error(
        'This deletes all data of the demo, and there is no terminal for a confirmation. Nothing was changed. ' +
          'Confirm with: npm start -- --reset --yes',
      )
    }
    const { default: confirm } = await import('@inquirer/confirm')
    const message = `Delete the demo in ${config.dataFolder} with all its data, and create it again?`
    // Ctrl-C rejects.
    const isConfirmed = await confirm({ message, default: false }).catch(() => false)
    if (!isConfirmed) throw new Error('Nothing was changed.')
  }
  await removeDemo(config, (line) => process.stderr.write(`${line}\n`))
}

/**
 * The next instant at a time of day, in milliseconds since 1970. A time that a clock change skips comes at its end.
 *
 * @param at `HH:MM`
 */
export function nextTimeOfDay(at: string, nowMs: number, timeZone: string): number {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone)
  const today = now.toPlainDate().toZonedDateTime({ timeZone, plainTime: at })
  const next =
    Temporal.ZonedDateTime.compare(today, now) > 0
      ? today
      : now.toPlainDate().add({ days: 1 }).toZonedDateTime({ timeZone, plainTime: at })
  return next.epochMilliseconds
}

/** Settles at the time of the nightly reset, in the time zone of this process; never without such a time. */
export async function untilReset(clock: Clock, resetAt: string | undefined): Promise<'reset'> {
  const nextMs =
    resetAt === undefined ? Infinity : nextTimeOfDay(resetAt, clock.now(), Temporal.Now.timeZoneId())
  while (clock.now() < nextMs) await sleep(resetPollEveryMs, undefined, { ref: false })
  return 'reset'
}

const resetWords = ['--reset', '--yes']

/** Removes a completed reset from this process's command line, so that a restart after a fault deletes nothing. */
export function dropReset(): void {
  process.argv = process.argv.filter((word) => !resetWords.includes(word))
}

/** Restarts this process with the same options and a reset. Call it once everything else has ended. */
export function restartWithReset(): never {
  return replaceProcess([...process.argv.slice(2), ...resetWords])
}
