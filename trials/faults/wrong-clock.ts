/**
 * Preloaded into each thread of the service (`node --import`): shifts the wall clock by the milliseconds in the file
 * `TRIAL_CLOCK_FILE`. The monotonic clock, which cannot be set, stays right.
 */
import { readFileSync } from 'node:fs'

const file = process.env['TRIAL_CLOCK_FILE']
const pollMs = 20

if (file !== undefined) {
  const RightDate = Date
  let shiftMs = 0
  const readShift = (): void => {
    shiftMs = Number(readFileSync(file, 'utf8'))
  }
  readShift()
  setInterval(readShift, pollMs).unref()

  const now = (): number => RightDate.now() + shiftMs
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, given: unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    apply: () => new RightDate(now()).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  })
}
