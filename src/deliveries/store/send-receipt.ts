import type { FastifyReply } from 'fastify'
import type { Figures } from '../../telemetry/telemetry.ts'
import type { Accepted } from './accept.ts'

/** Answers what was accepted with its receipt, and counts it under the door that it came through. */
export const createSendReceipt = (
  figures: Figures,
  way: 'push' | 'webhook',
): ((reply: FastifyReply, accepted: Accepted) => void) => {
  const accepts = figures.accepts.labels(way)
  const replays = figures.replays.labels(way)
  return (reply, { receipt, replayed }) => {
    if (replayed) {
      replays.inc()
      reply.header('Idempotent-Replayed', 'true')
    } else accepts.inc()
    reply.code(202).header('content-type', 'application/json; charset=utf-8').send(receipt)
  }
}
