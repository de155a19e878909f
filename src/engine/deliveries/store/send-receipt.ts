import type { FastifyReply } from 'fastify'
import type { Telemetry } from '../../../platform/telemetry/telemetry.ts'
import type { Channel } from './delivery.ts'
import type { Accepted } from './accept.ts'

/** Answers an accepted delivery with its receipt, and counts it under its channel. */
export function createSendReceipt(
  telemetry: Telemetry,
  channel: Channel,
): (reply: FastifyReply, accepted: Accepted) => void {
  const accepts = telemetry.accepts.labels(channel)
  const replays = telemetry.replays.labels(channel)
  return (reply, { receipt, replayed }) => {
    if (replayed) {
      replays.inc()
      reply.header('Idempotent-Replayed', 'true')
    } else accepts.inc()
    reply.code(202).header('content-type', 'application/json; charset=utf-8').send(receipt)
  }
}
