/** The present instant, handed to everything that needs one, so that a test can say what time it is. */
export interface Clock {
  /** Whole milliseconds since 1970 (UTC). */
  now(): number
  /** For a clock that threads share: what `createShiftedClock` takes in another thread. */
  readonly shift?: SharedArrayBuffer
  /**
   * Why its time cannot be relied on, as a sentence; undefined while it can. What cannot be undone waits until then.
   */
  fault?(): string | undefined
  /**
   * For how many milliseconds there has been no fault, counted by the monotonic clock; Infinity where there never was.
   */
  sinceFaultMs?(): number
}

/** The machine's own time: for what runs before there is a database, and for measuring. */
export const systemClock: Clock = { now: () => Date.now() }

/** When `performance.now()` of this thread began, on the monotonic clock that all threads of a process share. */
const threadStartMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Whole milliseconds since some instant, the same in all threads of a process: it cannot be set. */
export const monotonicClock: Clock = { now: () => Math.floor(threadStartMs + performance.now()) }

export interface TestClock extends Clock {
  /** Moves the time on, by milliseconds. */
  advance(ms: number): void
  /** Sets the time, even backwards: to milliseconds since 1970, or an RFC 3339 instant. */
  set(instant: number | string): void
}

/** @throws TypeError where it is not an instant */
export function toMs(instant: number | string): number {
  const ms = Math.trunc(typeof instant === 'number' ? instant : Date.parse(instant))
  if (Number.isNaN(ms)) throw new TypeError(`not an instant: ${instant}`)
  return ms
}

/**
 * The largest correction that goes unnoticed, in milliseconds: a clock set back by at most this much pauses until
 * it has caught up.
 */
export const clockSlewMsMax = 50

/** How far the clock is ahead of its base, in milliseconds; and 1 where its time cannot be relied on. */
const [shiftSlot, faultSlot] = [0, 1]

/** The memory of a clock that threads share. */
export function createShift(ms: number): SharedArrayBuffer {
  const shift = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)
  new BigInt64Array(shift)[shiftSlot] = BigInt(ms)
  return shift
}

export interface ShiftedClock extends TestClock {
  readonly shift: SharedArrayBuffer
  fault(): string | undefined
  /** Tells every thread whether the time can be relied on. */
  setFaulty(isFaulty: boolean): void
}

/**
 * A clock that runs with another one, ahead or behind by as much as it has been moved: with the monotonic clock unless
 * given another, beginning at the machine's time. With the `shift` of one in another thread, both are one clock.
 */
export function createShiftedClock(
  base: Clock = monotonicClock,
  shift = createShift(base === monotonicClock ? Date.now() - base.now() : 0),
): ShiftedClock {
  const slots = new BigInt64Array(shift)
  const read = (): number => base.now() + Number(Atomics.load(slots, shiftSlot))
  let lastMs = 0
  return {
    shift,
    now: () => {
      const ms = read()
      if (ms < lastMs && lastMs - ms <= clockSlewMsMax) return lastMs
      lastMs = ms
      return ms
    },
    fault: () =>
      Atomics.load(slots, faultSlot) === 0n ? undefined : 'The clock of this process is not to be relied on.',
    setFaulty: (isFaulty) => {
      Atomics.store(slots, faultSlot, isFaulty ? 1n : 0n)
    },
    advance: (ms) => {
      Atomics.add(slots, shiftSlot, BigInt(Math.trunc(ms)))
    },
    set: (instant) => {
      Atomics.add(slots, shiftSlot, BigInt(toMs(instant) - read()))
    },
  }
}
