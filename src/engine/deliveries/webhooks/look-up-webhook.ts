import type { Pool } from 'pg'
import { createForEachShard, type Shards } from '../../../context.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { onceForEach } from '../../../platform/database/once-for-each.ts'
import { firstShard } from '../../../platform/database/schemas.ts'
import { createBatcher, type BatcherOptions } from '../../../platform/database/batcher.ts'
import {
  lookUpAddressedCompanies,
  lookUpAddressedSources,
  type AddressedCompanyRow,
  type AddressedSource,
  type AddressedSourceRow,
  type WebhookAddress,
} from './queries.ts'

/** What is known of an address; its company is null if it is not that of a webhook source. */
export type AddressedWebhook = AddressedCompanyRow & AddressedSourceRow & { shard: number }

interface WebhookLookUpOptions {
  pool: Pool
  shards: Pick<Shards, 'get'>
  clock: Clock
  onBatch?: BatcherOptions<WebhookAddress, AddressedCompanyRow>['onBatch']
}

export type WebhookLookUp = (address: WebhookAddress) => Promise<AddressedWebhook>

const batchLimits = {
  /** Webhooks that are looked up together; the rest are next. */
  itemsMax: 512,
  /** Webhooks that wait to be looked up; a further one is 503. */
  queueMax: 20_000,
}

/**
 * Looks up the address of every webhook, in two statements for all calls that wait: its company in the directory, and its
 * source in the company's shard, so that a shard that is unavailable delays no call to another. An address of no source
 * is looked up in the first shard, like any other, so that it takes as long. Nothing is cached between
 * statements, so that a rotated secret, or a source's change to pushes, takes effect immediately.
 */
export function createWebhookLookUp({ pool, shards, clock, onBatch }: WebhookLookUpOptions): WebhookLookUp {
  const companies = createBatcher<WebhookAddress, AddressedCompanyRow>({
    ...batchLimits,
    run: (calls) =>
      onceForEach(
        calls,
        (call) => `${call.sourceId} ${call.failuresSubject}`,
        (addresses) => lookUpAddressedCompanies(pool, addresses),
      ),
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  const toSources = createForEachShard(({ acceptPool }) =>
    createBatcher<AddressedSource, AddressedSourceRow>({
      ...batchLimits,
      run: (calls) =>
        onceForEach(
          calls,
          (call) => `${call.companyId} ${call.sourceId}`,
          (addressed) => lookUpAddressedSources(acceptPool, addressed, clock.now()),
        ),
    }),
  )
  return async (address) => {
    const company = await companies.submit(address)
    const { sourceId } = address
    const shard = company.shard ?? firstShard
    const companyId = company.company_id ?? sourceId
    const source = await toSources(shards.get(shard)).submit({ companyId, sourceId })
    return { ...company, ...source, shard, company_id: source.is_webhook ? company.company_id : null }
  }
}
