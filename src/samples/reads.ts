import type { Context } from '../service/context.ts'
import { createAnswerRoom, type HoldAnswer } from './answer-room.ts'
import { companyReadShare, createReadLimiter, type ReadLimiter } from './read-limiter.ts'
import { createReadSamples, type ReadSamples } from './read-samples.ts'

/** What all reads of a process share, for apps and connections as for the pages. */
export interface Reads {
  limit: ReadLimiter
  samples: ReadSamples
  hold: HoldAnswer
}

declare module 'fastify' {
  interface FastifyInstance {
    reads: Reads
  }
}

/** Reads run on `pool`, at most `companyReadShare` of its connections for one company at once. */
export function createReads({ pool }: Pick<Context, 'pool'>): Reads {
  const readsMax = pool.options.max ?? 10
  const limit = createReadLimiter({
    readsMax,
    companyReadsMax: Math.max(1, Math.floor(readsMax * companyReadShare)),
  })
  return { limit, samples: createReadSamples({ pool, limit }), hold: createAnswerRoom() }
}
