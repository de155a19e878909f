import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { createConnectionLimiter, type ShareLimiter } from '../database/share-limiter.ts'
import { isKnownTag } from '../http/requests/is-known-tag.ts'
import { createSendingBudget, type ReserveAnswer } from './sending-budget.ts'

/** What all reads of a process share: those of apps and connections, and those of the pages. */
export interface Reads {
  /** Gives each company its share of the connections for reads. */
  limit: ShareLimiter
  reserve: ReserveAnswer
  /**
   * Answers with JSON under a strong entity tag, or with 304 when the client already has it. `render` is not called for a 304.
   *
   * @throws OverloadedError when too many bytes of answers are being sent
   */
  send(
    call: { request: FastifyRequest; reply: FastifyReply; companyId: string },
    etag: string,
    render: () => Buffer | Promise<Buffer>,
  ): Promise<FastifyReply>
}

declare module 'fastify' {
  interface FastifyInstance {
    reads: Reads
  }
}

/** Reads run on `pool`; one company uses at most `callerShare` of its connections. */
export function createReads({ pool }: { pool: Pool }): Reads {
  const reserve = createSendingBudget()
  return {
    limit: createConnectionLimiter(pool),
    reserve,
    send: async ({ request, reply, companyId }, etag, render) => {
      reply.header('etag', etag)
      if (isKnownTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const bytes = await render()
      reserve(reply.raw, companyId, bytes)
      return reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
    },
  }
}
