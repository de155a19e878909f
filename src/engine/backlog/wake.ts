/** Wakes one worker of this process. Does nothing until `start-workers.ts` has started some. */
let wake: (contentBytes?: number) => void = () => {}

/**
 * Tells this process's workers that the backlog has something new, so that one starts immediately. Call it after the
 * commit; `contentBytes` is the largest delivery's content, if known. Costs next to nothing while the workers are busy:
 * they poll again. Workers of other processes poll too.
 */
export function wakeWorker(contentBytes?: number): void {
  wake(contentBytes)
}

/** For `start-workers.ts`. */
export function setWakeWorker(wakeOne: (contentBytes?: number) => void): void {
  wake = wakeOne
}
