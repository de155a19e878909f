import type { preParsingHookHandler } from 'fastify'
import type { Context } from '../../service/context.ts'
import { route, type App } from '../../http/contract.ts'
import { createBatchObserver } from '../../telemetry/observe-batch.ts'
import { createAccept } from '../store/accept.ts'
import { createAnswerRefused } from '../store/answer-refused.ts'
import { ingestContract } from './contract.ts'
import { createFieldNames } from '../intake/field-names.ts'
import { ingest, type IngestOptions } from './ingest.ts'
import { createLargeBodies } from '../intake/large-bodies.ts'
import { createReadDelivery } from '../intake/read-delivery.ts'
import { createReadDocument } from '../intake/read-document-body.ts'
import { createSendReceipt } from '../store/send-receipt.ts'
import { createStore } from '../store/store.ts'
import { registerWebhookRoute } from '../webhooks/route.ts'

/** The two channels that deliveries come in by, and what they share behind them. */
export async function registerDeliveryRoutes(app: App, context: Context): Promise<void> {
  const { acceptPool: pool, clock, telemetry } = context
  const fieldNames = createFieldNames(pool)
  const largeBodies = createLargeBodies()
  app.addHook('onClose', () => largeBodies.close())
  const store = createStore({ pool, clock, onBatch: createBatchObserver(telemetry, 'store') })
  const accept = createAccept({ pool, clock, store, largeBodies })
  const answerRefused = createAnswerRefused(pool)
  const readDocument = createReadDocument(fieldNames, largeBodies)

  const options: IngestOptions = {
    bodyRoom: app.bodyRoom,
    readDelivery: createReadDelivery(fieldNames, largeBodies),
    readDocument,
    accept,
    answerRefused,
  }
  const sendReceipt = createSendReceipt(telemetry, 'push')
  // The route answers before the framework would read the body: deliveries are read as bytes, with their own limits
  // and their own order of checks, and a refused one must not cost its sender the connection.
  const answer: preParsingHookHandler = (request, reply) => {
    ingest(options, request.raw, request.admission)
      .then((accepted) => sendReceipt(reply, accepted))
      .catch((error: unknown) => reply.send(error))
  }
  app.post('/v1/ingest', { ...route(ingestContract), preParsing: answer }, () => {
    throw new Error('a push is answered before its handler')
  })

  registerWebhookRoute(app, context, { accept, answerRefused, readDocument })
}
