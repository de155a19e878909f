/** Wakes one reader of this process; there is none until `start-reader.ts` has started some. */
let wake: (contentBytes?: number) => void = () => {}

/**
 * Says that there is something new in the backlog, so that a reader of this process starts at once. Call it after
 * the commit; `contentBytes` is the largest delivery's content, where it is known. Costs next to nothing while the readers are busy, since those look again by themselves; readers of
 * other processes poll.
 */
export const wakeReader = (contentBytes?: number): void => wake(contentBytes)

/** For `start-reader.ts`. */
export const setWakeReader = (wakeOne: (contentBytes?: number) => void): void => {
  wake = wakeOne
}
