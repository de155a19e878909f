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

/** The two channels of deliveries, and what they share: a store for each shard, and the threads for large bodies. */
export async function registerDeliveryRoutes(app: App, context: DirectoryContext): Promise<void> {
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
  registerPushRoute(app, context, acceptIn)
  registerWebhookRoute(app, context, acceptIn)
}
