/** Wakes one worker of this process; there is none until `start-workers.ts` has started some. */
let wake: (contentBytes?: number) => void = () => {}

/**
 * Says that there is something new in the backlog, so that a worker of this process starts at once. Call it after
 * the commit; `contentBytes` is the largest delivery's content, where it is known. Costs next to nothing while the workers are busy, since those look again by themselves; workers of
 * other processes poll.
 */
export function wakeWorker(contentBytes?: number): void {
  wake(contentBytes)
}

/** For `start-workers.ts`. */
export function setWakeWorker(wakeOne: (contentBytes?: number) => void): void {
  wake = wakeOne
}
