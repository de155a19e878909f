import type { Context } from '../service/context.ts'
import { createAnswerRoom, type HoldAnswer } from './answer-room.ts'
import { companyReadShare, createReadLimiter, type ReadLimiter } from './read-limiter.ts'
import { createReadSamples, type ReadSamples } from './read-samples.ts'

/** What all reads of a process share, whether apps and connections ask or the pages. */
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

/** `pool`: what reads are done on; as many of one company at once as `companyReadShare` says. */
export function createReads({ pool }: Pick<Context, 'pool'>): Reads {
  const readsMax = pool.options.max ?? 10
  const limit = createReadLimiter({
    readsMax,
    companyReadsMax: Math.max(1, Math.floor(readsMax * companyReadShare)),
  })
  return { limit, samples: createReadSamples({ pool, limit }), hold: createAnswerRoom() }
}
