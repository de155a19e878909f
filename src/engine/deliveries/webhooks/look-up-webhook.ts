import type { Pool } from 'pg'
import type { Shards } from '../../../context.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { firstShard } from '../../../platform/database/schemas.ts'
import { createBatcher, type BatcherOptions } from '../../../platform/database/batcher.ts'
import {
  lookUpAddressedCompanies,
  lookUpAddressedSources,
  type AddressedCompanyRow,
  type AddressedSourceRow,
  type WebhookAddress,
} from './queries.ts'

/** What is known of an address; its company is null if it is not that of a webhook source. */
export type AddressedWebhook = AddressedCompanyRow & AddressedSourceRow & { shard: number }

interface WebhookLookUpOptions {
  pool: Pool
  shards: Pick<Shards, 'get'>
  clock: Clock
  onBatch?: BatcherOptions<WebhookAddress, AddressedWebhook>['onBatch']
}

export type WebhookLookUp = (address: WebhookAddress) => Promise<AddressedWebhook>

/** Webhooks that are looked up together; the rest are next. */
const webhookLookUpCallsMax = 512
/** Webhooks that wait to be looked up; a further one is 503. */
const webhookLookUpQueueMax = 20_000

/** An address of no source is looked up like any other, in the first shard, so that it takes as long. */
async function lookUp(
  { pool, shards, clock }: Omit<WebhookLookUpOptions, 'onBatch'>,
  addresses: readonly WebhookAddress[],
): Promise<AddressedWebhook[]> {
  const companies = await lookUpAddressedCompanies(pool, addresses)
  const webhooks: AddressedWebhook[] = []
  const byShard = Map.groupBy(companies.keys(), (index) => companies[index]!.shard ?? firstShard)
  const lookUps = Array.from(byShard, async ([shard, indexes]) => {
    const addressed = indexes.map((index) => {
      const { sourceId } = addresses[index]!
      return { companyId: companies[index]!.company_id ?? sourceId, sourceId }
    })
    const sources = await lookUpAddressedSources(shards.get(shard).acceptPool, addressed, clock.now())
    for (const [place, index] of indexes.entries()) {
      const source = sources[place]!
      const companyId = source.is_webhook ? companies[index]!.company_id : null
      webhooks[index] = { ...companies[index]!, ...source, shard, company_id: companyId }
    }
  })
  await Promise.all(lookUps)
  return webhooks
}

/**
 * Looks up the address of every webhook, in two statements for all calls that wait. Nothing is cached between
 * statements, so that a rotated secret, or a source's change to pushes, takes effect immediately.
 */
export function createWebhookLookUp({ onBatch, ...context }: WebhookLookUpOptions): WebhookLookUp {
  const batcher = createBatcher<WebhookAddress, AddressedWebhook>({
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
      const rows = await lookUp(context, addresses)
      return answerPositions.map((position) => rows[position]!)
    },
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  return (address) => batcher.submit(address)
}
