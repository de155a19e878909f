/**
 * Loaded before the service (`node --import`), in each of its threads: its machine's wall clock is wrong by as many
 * milliseconds as the file says that `TRIAL_CLOCK_FILE` names. The monotonic clock, which nobody can set, is as it is.
 */
import { readFileSync } from 'node:fs'

const file = process.env['TRIAL_CLOCK_FILE']
const everyMs = 20

if (file !== undefined) {
  const RightDate = Date
  let shiftMs = 0
  const look = (): void => {
    shiftMs = Number(readFileSync(file, 'utf8'))
  }
  look()
  setInterval(look, everyMs).unref()

  const now = (): number => RightDate.now() + shiftMs
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, given: unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    apply: () => new RightDate(now()).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  })
}
