import type { FastifyReply } from 'fastify'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import type { Accepted } from './accept.ts'

/** Answers what was accepted with its receipt, and counts it under the channel that it came through. */
export function createSendReceipt(
  telemetry: Telemetry,
  way: 'push' | 'webhook',
): (reply: FastifyReply, accepted: Accepted) => void {
  const accepts = telemetry.accepts.labels(way)
  const replays = telemetry.replays.labels(way)
  return (reply, { receipt, replayed }) => {
    if (replayed) {
      replays.inc()
      reply.header('Idempotent-Replayed', 'true')
    } else accepts.inc()
    reply.code(202).header('content-type', 'application/json; charset=utf-8').send(receipt)
  }
}
