import { textArray, uuidArray } from '../../../platform/database/binary-array.ts'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import type { Delivers } from '../../declarations/declaration.ts'
import type { ReachedLimit } from '../../../people/access/reached-limit.ts'

/** What is looked up for calls from one network to one address. */
export interface WebhookAddress {
  /** Any uuid. */
  sourceId: string
  /** The bucket of the network's failed attempts. */
  failuresSubject: string
}

/** What is known of an address; null as far as it is not that of a webhook source. */
export interface WebhookAddressRow {
  company_id: string | null
  delivers: Delivers
  shape_version: number
  current_secret: Buffer | null
  /** The secret before a rotation, while it still works. */
  previous_secret: Buffer | null
  failures_full_at_us: string | null
  /** The limit that the company has reached. */
  over_limit: ReachedLimit | null
}

/*
 * All look-ups are done for every address, in the same order, so that any address costs the same. As subqueries they go
 * by key, even if the tables were small when the statement was planned.
 */
const selectWebhookAddresses = defineStatement<
  WebhookAddressRow,
  { sourceIds: Buffer; failuresSubjects: Buffer; now: string }
>(
  'deliveries.select-webhook-addresses',
  `
  select
    source.company_id, source.shape_version,
    (
      select shapes.delivers
      from shapes
      where shapes.company_id = coalesce(source.company_id, requested.source_id)
        and shapes.source_id = requested.source_id and shapes.shape_version = coalesce(source.shape_version, 1)
    ) as delivers,
    (
      select webhook_secrets.sealed
      from webhook_secrets
      where webhook_secrets.company_id = coalesce(source.company_id, requested.source_id)
        and webhook_secrets.source_id = requested.source_id and webhook_secrets.ends_at is null
    ) as current_secret,
    (
      select webhook_secrets.sealed
      from webhook_secrets
      where webhook_secrets.company_id = coalesce(source.company_id, requested.source_id)
        and webhook_secrets.source_id = requested.source_id and webhook_secrets.ends_at > $now::timestamptz
      order by webhook_secrets.ends_at desc
      limit 1
    ) as previous_secret,
    (
      select rate_buckets.full_at_us
      from rate_buckets
      where rate_buckets.subject = requested.failures_subject
    ) as failures_full_at_us,
    (
      select companies.over_limit
      from companies
      where companies.company_id = coalesce(source.company_id, requested.source_id)
    ) as over_limit
  from unnest($sourceIds::uuid[], $failuresSubjects::text[]) with ordinality as requested (source_id, failures_subject, call)
  left join lateral (
    select sources.company_id, sources.shape_version
    from sources
    where sources.source_id = requested.source_id and sources.channel = 'webhook'
    limit 1
  ) source on true
  order by requested.call`,
)

/** What is known of each address, in the order given. */
export function lookUpWebhooks(
  on: Queryable,
  addresses: readonly WebhookAddress[],
  nowMs: number,
): Promise<WebhookAddressRow[]> {
  return selectWebhookAddresses.rows(on, {
    sourceIds: uuidArray(addresses.map((address) => address.sourceId)),
    failuresSubjects: textArray(addresses.map((address) => address.failuresSubject)),
    now: new Date(nowMs).toISOString(),
  })
}
