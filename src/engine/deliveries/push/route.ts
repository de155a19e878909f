import type { preParsingHookHandler } from 'fastify'
import type { Context } from '../../../context.ts'
import { route, type App } from '../../../platform/http/contract.ts'
import type { AcceptContext } from '../store/accept.ts'
import { createSendReceipt } from '../store/send-receipt.ts'
import { ingestContract } from './contract.ts'
import { ingest, type IngestContext } from './ingest.ts'

export function registerPushRoute(
  app: App,
  { telemetry, config }: Pick<Context, 'telemetry' | 'config'>,
  acceptIn: (shard: number) => AcceptContext,
): void {
  const context: IngestContext = {
    acceptIn,
    bodyBudget: app.bodyBudget,
    isDemo: config.identityProvider === 'demo',
  }
  const sendReceipt = createSendReceipt(telemetry, 'push')
  // Answers before the framework would read the body: deliveries are read as bytes, with limits and an order of checks
  // of their own, and a refused one must not cost its sender the connection.
  const answer: preParsingHookHandler = (request, reply) => {
    ingest(context, request.raw, request.admission)
      .then((accepted) => sendReceipt(reply, accepted))
      .catch((error: unknown) => reply.send(error))
  }
  app.post('/v1/ingest', { ...route(ingestContract), preParsing: answer }, () => {
    throw new Error('a push is answered before its handler')
  })
}
