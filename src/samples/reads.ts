import type { Context } from '../service/context.ts'
import { createAnswerRoom, type HoldAnswer } from './answer-room.ts'
import { createConnectionLimiter, type ShareLimiter } from '../database/share-limiter.ts'
import { createReadSamples, type ReadSamples } from './read-samples.ts'

/** What all reads of a process share, for apps and connections as for the pages. */
export interface Reads {
  limit: ShareLimiter
  samples: ReadSamples
  hold: HoldAnswer
}

declare module 'fastify' {
  interface FastifyInstance {
    reads: Reads
  }
}

/** Reads run on `pool`, at most on `callerShare` of its connections for one company. */
export function createReads({ pool }: Pick<Context, 'pool'>): Reads {
  const limit = createConnectionLimiter(pool)
  return { limit, samples: createReadSamples({ pool, limit }), hold: createAnswerRoom() }
}
