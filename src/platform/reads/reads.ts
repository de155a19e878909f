import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { getOrigin } from '../database/pool.ts'
import { createConnectionLimiter, type ShareLimiter } from '../database/share-limiter.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { isKnownTag } from '../http/requests/is-known-tag.ts'
import { createReadOnBasis, type ReadOnBasis, type ShardPools } from './read-on-basis.ts'
import { createSendingBudget, type ReserveAnswer } from './sending-budget.ts'

/** What all reads of a process share: those of apps and connections, and those of the pages. */
export interface Reads {
  /** Gives each company its share of the pool's connections, of all shards together. */
  limitOn(pool: Pool): ShareLimiter
  /** Reads of a shard that may run on its standbys. The same function for the same shard. */
  onBasis(shard: ShardPools): ReadOnBasis
  reserve: ReserveAnswer
  /**
   * Answers with JSON, or with what `type` says, under a strong entity tag, or with 304 when the client already has it. `render` is not called for a 304.
   *
   * @throws OverloadedError when too many bytes of answers are being sent
   */
  send(
    call: { request: FastifyRequest; reply: FastifyReply; companyId: string; type?: string },
    etag: string,
    render: () => Buffer | Promise<Buffer>,
  ): Promise<FastifyReply>
}

declare module 'fastify' {
  interface FastifyInstance {
    reads: Reads
  }
}

function createLimiters(options: { waitMsMax?: number } = {}): (pool: Pool) => ShareLimiter {
  const limiters = new WeakMap<Pool, ShareLimiter>()
  return (pool) => {
    const origin = getOrigin(pool)
    const limiter = limiters.get(origin) ?? createConnectionLimiter(origin, options)
    limiters.set(origin, limiter)
    return limiter
  }
}

/** One company uses at most `callerShare` of a pool's connections. */
export function createReads({ standbyReads }: Pick<Telemetry, 'standbyReads'>): Reads {
  const reserve = createSendingBudget()
  const limitOn = createLimiters()
  const options = { limitOn, limitWithoutWaiting: createLimiters({ waitMsMax: 0 }), observe: standbyReads }
  const onBasis = new WeakMap<Pool, ReadOnBasis>()
  return {
    limitOn,
    onBasis: (shard) => {
      const read = onBasis.get(shard.readPool) ?? createReadOnBasis(shard, options)
      onBasis.set(shard.readPool, read)
      return read
    },
    reserve,
    send: async ({ request, reply, companyId, type = 'application/json; charset=utf-8' }, etag, render) => {
      reply.header('etag', etag)
      if (isKnownTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const bytes = await render()
      reserve(reply.raw, companyId, bytes)
      return reply.header('content-type', type).send(bytes)
    },
  }
}
