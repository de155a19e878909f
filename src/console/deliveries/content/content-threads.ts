import type { App } from '../../../platform/http/contract.ts'
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

declare module 'fastify' {
  interface FastifyInstance {
    /** Of all routes together, so that a company reads one content at a time. */
    contentThreads: ContentThreads
  }
}

/** Reads stored content away from the event loop, and from the threads that parse deliveries. To be called once, on the root instance. */
export function decorateContentThreads(app: App): void {
  const module = new URL('content-thread.ts', import.meta.url)
  const threads: ContentThreads = createThreadPool(module, { threadsMax: contentsMax, msMax: contentMsMax })
  app.decorate('contentThreads', threads)
  app.addHook('onClose', () => threads.close())
}
