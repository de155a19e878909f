import { createThreadPool, type ThreadPool } from '../../../platform/threads/thread-pool.ts'
import type * as contentThread from './content-thread.ts'

/**
 * Pages' reads of stored contents at the same time in one process, one for each company; each takes at most 16 MiB, a
 * comparison of two a few hundred.
 */
const contentsMax = 2

/** How long reading one content may take, in milliseconds. Then the call is 503. */
const contentMsMax = 10_000

export type ContentThreads = ThreadPool<typeof contentThread>

/** Reads stored content away from the event loop, and from the threads that parse deliveries. */
export function createContentThreads(): ContentThreads {
  const module = new URL('content-thread.ts', import.meta.url)
  return createThreadPool(module, { threadsMax: contentsMax, msMax: contentMsMax })
}
