import type { Context } from '../service/context.ts'
import { createIntake, readDelivery } from '../deliveries/intake/read-delivery.ts'
import { accept, type AcceptContext } from '../deliveries/store/accept.ts'
import type { DeliveryTarget } from '../deliveries/store/delivery.ts'
import { createStore } from '../deliveries/store/store.ts'
import { ApiError } from '../http/errors.ts'
import type { AddedSource } from './add-demo-companies.ts'
import { fixtureDeliveries } from './fixture-deliveries.ts'
import type { SentDelivery } from './sent-delivery.ts'

/** What somebody has changed in the demo (a source paused, a shape saved anew) stays that way. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}

/**
 * Sends every source its year of deliveries, as a push does but without a connection. Those that were sent at an
 * earlier start are answered as replays, so that it may be called at every start. Gives what was new.
 */
export async function sendFixtures(context: Context, sources: AddedSource[]): Promise<SentDelivery[]> {
  const { pool, clock } = context
  const intake = createIntake(pool)
  const acceptContext: AcceptContext = { pool, clock, intake, store: createStore({ pool, clock }) }
  const stored: SentDelivery[] = []

  const send = async ({ company, source }: AddedSource, key: string, payload: object[]): Promise<void> => {
    const { companyId } = company
    const { sourceId, shapeVersion, delivers } = source
    const body = Buffer.from(JSON.stringify({ idempotency_key: key, shape_version: 1, payload }))
    const delivery = await readDelivery(intake, body, { companyId, sourceId, shapeVersion })
    // Without a connection, which is how a webhook is stored.
    const target: DeliveryTarget = {
      channel: 'webhook',
      companyId,
      sourceId,
      sandbox: false,
      connectionId: null,
      delivers,
    }
    const { receipt, replayed } = await accept(acceptContext, delivery, target)
    if (!replayed) stored.push({ companyId, artifactId: JSON.parse(receipt).artifact_id })
  }

  for (const added of sources) {
    if (added.demo.fixture === undefined) continue
    const today = Temporal.Instant.fromEpochMilliseconds(clock.now())
      .toZonedDateTimeISO(added.company.timeZone)
      .toPlainDate()
      .toString()
    const deliveries = fixtureDeliveries(added.demo.fixture, today)
    try {
      // All at once, so that they share commits. Those of a statements source go one by one, since their order counts.
      if (added.source.delivers === 'events') {
        await Promise.all(deliveries.map(({ key, payload }) => send(added, key, payload)))
      } else for (const { key, payload } of deliveries) await send(added, key, payload)
    } catch (error) {
      if (!isRefused(error)) throw error
    }
  }
  await intake.largeBodies.close()
  return stored
}
