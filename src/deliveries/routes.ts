import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Context } from '../context.ts'
import { route, type App } from '../http/contract.ts'
import { createAccept } from './accept.ts'
import { ingestContract } from './contract.ts'
import { createFieldNames } from './field-names.ts'
import { ingest, type IngestOptions } from './ingest.ts'
import { createLargeBodies } from './large-bodies.ts'
import { createRooms } from './read-body.ts'
import { createReadDelivery } from './read-delivery.ts'
import { createStore } from './store.ts'

export const registerDeliveryRoutes = async (app: App, context: Context): Promise<void> => {
  const { pool, clock, figures } = context
  const accepts = figures.accepts.labels('push')
  const replays = figures.replays.labels('push')
  const batchItems = figures.batchItems.labels('store')
  const batchSeconds = figures.batchSeconds.labels('store')

  const largeBodies = createLargeBodies()
  app.addHook('onClose', () => largeBodies.close())
  const store = createStore({
    pool,
    clock,
    onBatch: (batch) => {
      batchItems.observe(batch.items)
      batchSeconds.observe(batch.durationMs / 1_000)
    },
  })
  const options: IngestOptions = {
    roomFor: createRooms(),
    readDelivery: createReadDelivery(createFieldNames(pool), largeBodies),
    accept: createAccept({ pool, clock, store, largeBodies }),
  }

  const push = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { receipt, replayed } = await ingest(options, request.raw, request.admission)
    if (replayed) {
      replays.inc()
      reply.header('Idempotent-Replayed', 'true')
    } else accepts.inc()
    reply.code(202).header('content-type', 'application/json; charset=utf-8').send(receipt)
  }
  // The route answers before the framework would read the body: deliveries are read as bytes, with their own limits
  // and their own order of checks, and a refused one must not cost its sender the connection.
  const answer: preParsingHookHandler = (request, reply) => {
    push(request, reply).catch((error: unknown) => reply.send(error))
  }
  app.post('/v1/ingest', { ...route(ingestContract), preParsing: answer }, () => {
    throw new Error('a push is answered before its handler')
  })
}
