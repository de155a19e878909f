/** Wakes one reader of this process; there is none until `start-reader.ts` has started some. */
let wake: () => void = () => {}

/**
 * Says that there is something new in the backlog, so that a reader of this process starts at once. Call it after
 * the commit. Costs next to nothing while the readers are busy, since those look again by themselves; readers of
 * other processes poll.
 */
export const wakeReader = (): void => wake()

/** For `start-reader.ts`. */
export const setWakeReader = (wakeOne: () => void): void => {
  wake = wakeOne
}
