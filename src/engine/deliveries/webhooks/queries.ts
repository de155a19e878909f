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

/** What the directory knows of an address; null as far as it is no source's. */
export interface AddressedCompanyRow {
  company_id: string | null
  shard: number | null
  failures_full_at_us: string | null
  /** The limit that the company has reached. */
  over_limit: ReachedLimit | null
}

/** A source in the shard of its company; an address of no source has its own id as that of a company. */
export interface AddressedSource {
  companyId: string
  sourceId: string
}

/** What the shard of its company knows of an address; null as far as it is no source's. */
export interface AddressedSourceRow {
  is_webhook: boolean | null
  shape_version: number
  delivers: Delivers
  current_secret: Buffer | null
  /** The secret before a rotation, while it still works. */
  previous_secret: Buffer | null
}

/*
 * All look-ups are done for every address, in the same order, so that any address costs the same. As subqueries they go
 * by key, even if the tables were small when the statement was planned.
 */
const selectAddressedCompanies = defineStatement<
  AddressedCompanyRow,
  { sourceIds: Buffer; failuresSubjects: Buffer }
>(
  'deliveries.select-addressed-companies',
  `
  select
    addressed.company_id,
    (
      select rate_buckets.full_at_us
      from rate_buckets
      where rate_buckets.subject = requested.failures_subject
    ) as failures_full_at_us,
    company.shard, company.over_limit
  from unnest($sourceIds::uuid[], $failuresSubjects::text[]) with ordinality as requested (source_id, failures_subject, call)
  left join lateral (
    select source_names.company_id
    from source_names
    where source_names.source_id = requested.source_id
    limit 1
  ) addressed on true
  left join lateral (
    select companies.shard, companies.over_limit
    from companies
    where companies.company_id = coalesce(addressed.company_id, requested.source_id)
    limit 1
  ) company on true
  order by requested.call`,
)

/** The company of each address and the failed attempts of its caller's network, in the order given. */
export function lookUpAddressedCompanies(
  on: Queryable,
  addresses: readonly WebhookAddress[],
): Promise<AddressedCompanyRow[]> {
  return selectAddressedCompanies.rows(on, {
    sourceIds: uuidArray(addresses.map((address) => address.sourceId)),
    failuresSubjects: textArray(addresses.map((address) => address.failuresSubject)),
  })
}

const selectAddressedSources = defineStatement<
  AddressedSourceRow,
  { companyIds: Buffer; sourceIds: Buffer; now: string }
>(
  'deliveries.select-addressed-sources',
  `
  select
    source.channel = 'webhook' as is_webhook, source.shape_version,
    (
      select shapes.delivers
      from shapes
      where shapes.company_id = requested.company_id and shapes.source_id = requested.source_id
        and shapes.shape_version = coalesce(source.shape_version, 1)
    ) as delivers,
    (
      select webhook_secrets.sealed
      from webhook_secrets
      where webhook_secrets.company_id = requested.company_id
        and webhook_secrets.source_id = requested.source_id and webhook_secrets.ends_at is null
    ) as current_secret,
    (
      select webhook_secrets.sealed
      from webhook_secrets
      where webhook_secrets.company_id = requested.company_id
        and webhook_secrets.source_id = requested.source_id and webhook_secrets.ends_at > $now::timestamptz
      order by webhook_secrets.ends_at desc
      limit 1
    ) as previous_secret
  from unnest($companyIds::uuid[], $sourceIds::uuid[]) with ordinality as requested (company_id, source_id, call)
  left join lateral (
    select sources.channel, sources.shape_version
    from sources
    where sources.company_id = requested.company_id and sources.source_id = requested.source_id
    limit 1
  ) source on true
  order by requested.call`,
)

/**
 * What is known of each address, in the order given.
 *
 * @param addresses of the companies of one shard
 */
export function lookUpAddressedSources(
  on: Queryable,
  addresses: readonly AddressedSource[],
  nowMs: number,
): Promise<AddressedSourceRow[]> {
  return selectAddressedSources.rows(on, {
    companyIds: uuidArray(addresses.map((address) => address.companyId)),
    sourceIds: uuidArray(addresses.map((address) => address.sourceId)),
    now: new Date(nowMs).toISOString(),
  })
}
