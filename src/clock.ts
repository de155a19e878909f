/** The present instant, handed to everything that needs one, so that a test can say what time it is. */
export interface Clock {
  /** Whole milliseconds since 1970 (UTC). */
  now(): number
  /** Of a clock that can be moved while threads share it: what `createShiftedClock` takes in another thread. */
  readonly shift?: SharedArrayBuffer
}

/** The machine's own time. */
export const systemClock: Clock = { now: () => Date.now() }

export interface TestClock extends Clock {
  /** Moves the time on, by milliseconds. */
  advance(ms: number): void
  /** Sets the time, also backwards: to milliseconds since 1970, or an RFC 3339 instant. */
  set(instant: number | string): void
}

const toMs = (instant: number | string): number => {
  const ms = Math.trunc(typeof instant === 'number' ? instant : Date.parse(instant))
  if (Number.isNaN(ms)) throw new TypeError(`not an instant: ${instant}`)
  return ms
}

/** A clock that stands still until it is moved. */
export const createTestClock = (start: number | string = '2026-01-15T12:00:00Z'): TestClock => {
  let nowMs = toMs(start)
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += Math.trunc(ms)
    },
    set: (instant) => {
      nowMs = toMs(instant)
    },
  }
}

/**
 * A clock that runs with the machine's, ahead or behind by as much as it has been moved. With the `shift` of another
 * one, in another thread, both are one clock.
 */
export const createShiftedClock = (
  base: Clock = systemClock,
  shift = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
): TestClock & { shift: SharedArrayBuffer } => {
  const shiftMs = new BigInt64Array(shift)
  return {
    shift,
    now: () => base.now() + Number(Atomics.load(shiftMs, 0)),
    advance: (ms) => {
      Atomics.add(shiftMs, 0, BigInt(Math.trunc(ms)))
    },
    set: (instant) => {
      Atomics.store(shiftMs, 0, BigInt(toMs(instant) - base.now()))
    },
  }
}
