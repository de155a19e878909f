type Wake = (contentBytes?: number, shard?: number) => void

/** Wakes one worker of this process. Does nothing until `start-workers.ts` has started some. */
let wake: Wake = () => {}

/**
 * Tells this process's workers that the backlog has something new, so that one starts immediately. Call it after the
 * commit; `contentBytes` is the largest delivery's content, and `shard` where it is, if known. Costs next to nothing while
 * the workers are busy: they poll again. Workers of other processes poll too.
 */
export function wakeWorker(contentBytes?: number, shard?: number): void {
  wake(contentBytes, shard)
}

/** For `start-workers.ts`. */
export function setWakeWorker(wakeOne: Wake): void {
  wake = wakeOne
}
