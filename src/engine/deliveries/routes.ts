import type { Context } from '../../context.ts'
import type { App } from '../../platform/http/contract.ts'
import { createBatchObserver } from '../../platform/telemetry/observe-batch.ts'
import { createIntake } from './intake/read-delivery.ts'
import { registerPushRoute } from './push/route.ts'
import type { AcceptContext } from './store/accept.ts'
import { createStore } from './store/store.ts'
import { registerWebhookRoute } from './webhooks/route.ts'

/** The two channels of deliveries, and what they share. */
export async function registerDeliveryRoutes(app: App, context: Context): Promise<void> {
  const { acceptPool: pool, clock, telemetry } = context
  const intake = createIntake(pool)
  app.addHook('onClose', () => intake.largeBodies.close())
  const store = createStore({ pool, clock, onBatch: createBatchObserver(telemetry, 'store') })
  const acceptContext: AcceptContext = { pool, clock, intake, store }
  registerPushRoute(app, context, acceptContext)
  registerWebhookRoute(app, context, acceptContext)
}
