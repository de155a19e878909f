import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../src/platform/clock/clock.ts'
import type { Config } from '../src/platform/config/config.ts'
import { replaceProcess } from '../src/app/restart-after-fault.ts'
import { removeDemo, requireDemoFolder } from './demo-folder.ts'

/** How often it is looked whether the demo is to be made anew. Milliseconds. */
export const resetLookEveryMs = 20_000

/**
 * Removes the demo, once somebody at the terminal has said that it may be, or `--yes` has.
 *
 * @throws Error where nobody did, or as `requireDemoFolder`; nothing was changed
 */
export async function resetDemo(config: Config, options: { yes: boolean }): Promise<void> {
  await requireDemoFolder(config)
  if (!options.yes) {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new Error(
        'This removes all that is in the demo, and there is no terminal to ask at. Nothing was changed. ' +
          'Say that it may: npm start -- --reset --yes',
      )
    }
    const { default: confirm } = await import('@inquirer/confirm')
    const message = `Remove the demo in ${config.dataFolder} with all that is in it, and make it anew?`
    // Ctrl-C is a no.
    const isAllowed = await confirm({ message, default: false }).catch(() => false)
    if (!isAllowed) throw new Error('Nothing was changed.')
  }
  await removeDemo(config, (line) => process.stderr.write(`${line}\n`))
}

/**
 * When a time of day comes next, in milliseconds since 1970. A time that a clock change leaves out comes at its end.
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

/** Settles when the demo is to be made anew, in the time zone of this process; never without such a time. */
export async function untilReset(clock: Clock, resetAt: string | undefined): Promise<'reset'> {
  const nextMs =
    resetAt === undefined ? Infinity : nextTimeOfDay(resetAt, clock.now(), Temporal.Now.timeZoneId())
  while (clock.now() < nextMs) await sleep(resetLookEveryMs, undefined, { ref: false })
  return 'reset'
}

const resetWords = ['--reset', '--yes']

/** Takes the reset from this process's command line once it is done: what starts anew after a fault removes nothing. */
export function dropReset(): void {
  process.argv = process.argv.filter((word) => !resetWords.includes(word))
}

/** Starts this process anew, with the same options, to remove the demo first. To be called once all else has ended. */
export function startAnewWithReset(): never {
  return replaceProcess([...process.argv.slice(2), ...resetWords])
}
