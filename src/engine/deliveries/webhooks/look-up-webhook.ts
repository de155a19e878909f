import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import { createBatcher, type BatcherOptions } from '../../../platform/database/batcher.ts'
import {
  lookUpAddressedCompanies,
  lookUpAddressedSources,
  type AddressedCompanyRow,
  type AddressedSourceRow,
  type WebhookAddress,
} from './queries.ts'

/** What is known of an address; its company is null if it is not that of a webhook source. */
export type AddressedWebhook = AddressedCompanyRow & AddressedSourceRow

interface WebhookLookUpOptions {
  pool: Pool
  clock: Clock
  onBatch?: BatcherOptions<WebhookAddress, AddressedWebhook>['onBatch']
}

export type WebhookLookUp = (address: WebhookAddress) => Promise<AddressedWebhook>

/** Webhooks that are looked up together; the rest are next. */
const webhookLookUpCallsMax = 512
/** Webhooks that wait to be looked up; a further one is 503. */
const webhookLookUpQueueMax = 20_000

/** An address of no source is looked up like any other, so that it takes as long. */
async function lookUp(
  pool: Pool,
  addresses: readonly WebhookAddress[],
  nowMs: number,
): Promise<AddressedWebhook[]> {
  const companies = await lookUpAddressedCompanies(pool, addresses)
  const sources = await lookUpAddressedSources(
    pool,
    addresses.map(({ sourceId }, index) => ({
      companyId: companies[index]!.company_id ?? sourceId,
      sourceId,
    })),
    nowMs,
  )
  return companies.map((company, index) => {
    const source = sources[index]!
    return { ...company, ...source, company_id: source.is_webhook ? company.company_id : null }
  })
}

/**
 * Looks up the address of every webhook, in two statements for all calls that wait. Nothing is cached between
 * statements, so that a rotated secret, or a source's change to pushes, takes effect immediately.
 */
export function createWebhookLookUp({ pool, clock, onBatch }: WebhookLookUpOptions): WebhookLookUp {
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
      const rows = await lookUp(pool, addresses, clock.now())
      return answerPositions.map((position) => rows[position]!)
    },
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  return (address) => batcher.submit(address)
}
