import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import { createBatcher, type BatcherOptions } from '../../../platform/database/batcher.ts'
import { lookUpWebhooks, type WebhookAddress, type WebhookAddressRow } from './queries.ts'

interface WebhookLookUpOptions {
  pool: Pool
  clock: Clock
  onBatch?: BatcherOptions<WebhookAddress, WebhookAddressRow>['onBatch']
}

export type WebhookLookUp = (address: WebhookAddress) => Promise<WebhookAddressRow>

/** Webhooks that are looked up in one statement; the rest in the next. */
const webhookLookUpCallsMax = 512
/** Webhooks that wait to be looked up; a further one is 503. */
const webhookLookUpQueueMax = 20_000

/**
 * Looks up the address of every webhook, in one statement for all calls that wait. Nothing is cached between
 * statements, so that a rotated secret, or a source's change to pushes, takes effect immediately.
 */
export function createWebhookLookUp({ pool, clock, onBatch }: WebhookLookUpOptions): WebhookLookUp {
  const batcher = createBatcher<WebhookAddress, WebhookAddressRow>({
    itemsMax: webhookLookUpCallsMax,
    queueMax: webhookLookUpQueueMax,
    run: async (calls) => {
      const positions = new Map<string, number>()
      const addresses: WebhookAddress[] = []
      const answerPositions = calls.map((call) => {
        const key = `${call.sourceId} ${call.failuresSubject}`
        const position = positions.get(key) ?? addresses.push(call) - 1
        positions.set(key, position)
        return position
      })
      const rows = await lookUpWebhooks(pool, addresses, clock.now())
      return answerPositions.map((position) => rows[position]!)
    },
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  return (address) => batcher.submit(address)
}
