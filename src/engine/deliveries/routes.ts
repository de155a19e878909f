import { createForEachShard, type DirectoryContext } from '../../context.ts'
import type { App } from '../../platform/http/contract.ts'
import { createBatchObserver } from '../../platform/telemetry/observe-batch.ts'
import { createFindPlace } from '../../people/companies/moves/find-place.ts'
import { createFieldNames } from './intake/field-names.ts'
import { createLargeBodies } from './intake/large-bodies.ts'
import { registerPushRoute } from './push/route.ts'
import type { AcceptContext } from './store/accept.ts'
import { createStore } from './store/store.ts'
import { registerWebhookRoute } from './webhooks/route.ts'

/** The two channels of deliveries. */
export async function registerDeliveryRoutes(app: App, context: DirectoryContext): Promise<void> {
  const { acceptIn } = app
  registerPushRoute(app, context, acceptIn)
  registerWebhookRoute(app, context, acceptIn)
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The context for deliveries of a shard's companies. */
    acceptIn: (shard: number) => AcceptContext
  }
}

/**
 * What the channels and checks of pushes share: a store for each shard, and the threads for large bodies. Call it once, on the
 * root instance.
 */
export function decorateDeliveries(app: App, context: DirectoryContext): void {
  const { clock, telemetry } = context
  const largeBodies = createLargeBodies()
  app.addHook('onClose', () => largeBodies.close())
  const onBatch = createBatchObserver(telemetry, 'store')
  const findPlace = createFindPlace(context)
  const toAcceptContext = createForEachShard(({ acceptPool: pool, shard }): AcceptContext => ({
    pool,
    shard,
    clock,
    intake: { fieldNames: createFieldNames(pool), largeBodies },
    store: createStore({ pool, shard, clock, onBatch }),
    findPlace: async (companyId) => acceptIn(await findPlace(companyId)),
  }))
  const acceptIn = (shard: number): AcceptContext => toAcceptContext(context.shards.get(shard))
  app.decorate('acceptIn', acceptIn)
}
