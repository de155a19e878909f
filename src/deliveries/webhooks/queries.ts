import { byteaArray, textArray, uuidArray } from '../../database/binary-array.ts'
import { defineStatement } from '../../database/define-statement.ts'
import type { Queryable } from '../../database/pool.ts'
import type { Delivers } from '../../sources/declaration.ts'
import type { ReachedLimit } from '../../access/reached-limit.ts'
import {
  defineStore,
  storeParameters,
  toFound,
  type DeliveryIdentity,
  type FindDeliveries,
  type StoreDeliveries,
  type StoredRow,
} from '../store/queries.ts'

/** What calls that come over one network to one address ask for. */
export interface WebhookAddress {
  /** Any uuid. */
  sourceId: string
  /** The bucket of failed attempts that they are under. */
  failuresSubject: string
}

/** What is known of an address: null where it is no webhook source's, as far as it goes. */
export interface WebhookAddressRow {
  company_id: string | null
  delivers: Delivers
  shape_version: number
  current_secret: Buffer | null
  /** Of before a rotation, while it still works. */
  previous_secret: Buffer | null
  failures_full_at_us: string | null
  /** The limit that the company has reached. */
  over_limit: ReachedLimit | null
}

/*
 * Every look-up is made for every address, in the same order: one that is no webhook source's costs what another does.
 * As subqueries they are made by key, however large the tables were when the statement was planned.
 */
const lookUpStatement = defineStatement<WebhookAddressRow>(
  'deliveries.look_up_webhook',
  `
  select
    source.company_id, source.shape_version,
    (
      select shapes.delivers
      from shapes
      where shapes.company_id = coalesce(source.company_id, asked.source_id)
        and shapes.source_id = asked.source_id and shapes.shape_version = coalesce(source.shape_version, 1)
    ) as delivers,
    (
      select webhook_secrets.sealed
      from webhook_secrets
      where webhook_secrets.company_id = coalesce(source.company_id, asked.source_id)
        and webhook_secrets.source_id = asked.source_id and webhook_secrets.ends_at is null
    ) as current_secret,
    (
      select webhook_secrets.sealed
      from webhook_secrets
      where webhook_secrets.company_id = coalesce(source.company_id, asked.source_id)
        and webhook_secrets.source_id = asked.source_id and webhook_secrets.ends_at > $3::timestamptz
      order by webhook_secrets.ends_at desc
      limit 1
    ) as previous_secret,
    (
      select rate_buckets.full_at_us
      from rate_buckets
      where rate_buckets.subject = asked.failures_subject
    ) as failures_full_at_us,
    (
      select companies.over_limit
      from companies
      where companies.company_id = coalesce(source.company_id, asked.source_id)
    ) as over_limit
  from unnest($1::uuid[], $2::text[]) with ordinality as asked (source_id, failures_subject, call)
  left join lateral (
    select sources.company_id, sources.shape_version
    from sources
    where sources.source_id = asked.source_id and sources.delivery_way = 'webhook'
    limit 1
  ) source on true
  order by asked.call`,
)

/** What is known of each address, in the order given. */
export const lookUpWebhooks = (
  on: Queryable,
  addresses: readonly WebhookAddress[],
  nowMs: number,
): Promise<WebhookAddressRow[]> =>
  lookUpStatement.rows(on, [
    uuidArray(addresses.map((address) => address.sourceId)),
    textArray(addresses.map((address) => address.failuresSubject)),
    new Date(nowMs).toISOString(),
  ])

/*
 * First each delivery claims its id for its body, then the bodies are written that nobody has written yet: an id whose
 * body was there already is its alias from then on. A paused source takes new ids for bodies that it has, and nothing
 * else. Ids are claimed in their order, and then bodies are written in theirs, so that processes that were sent the same
 * deadlock.
 *
 * What was claimed is said as a condition that cannot become a join, so that it is looked up in a hash table: the planner
 * takes a handful of claims for granted, and would compare each delivery with each claim.
 */
const defineWebhookStore = (name: string, onConflict: string) =>
  defineStore({
    name,
    claimed: `
  claimed as (
    insert into webhook_ids (company_id, source_id, delivery_id, received_sha256)
    select target.company_id, target.source_id, sent.idempotency_key, sent.received_sha256
    from sent
    join target on target.target = sent.target
    where target.active or (
      select true
      from deliveries
      where deliveries.company_id = target.company_id and deliveries.source_id = target.source_id
        and deliveries.received_sha256 = sent.received_sha256 and deliveries.connection_id is null
      limit 1
    )
    order by target.source_id, sent.idempotency_key collate "C", sent.receive_number
    on conflict (company_id, source_id, delivery_id) do nothing
    returning company_id, source_id, delivery_id, received_sha256
  ),`,
    where: `
    where (
      (target.source_id, sent.idempotency_key, sent.received_sha256)
        in (select claimed.source_id, claimed.delivery_id, claimed.received_sha256 from claimed)
    ) is true`,
    orderBy: 'target.source_id, sent.received_sha256, sent.receive_number',
    onConflict,
  })

const storeStatement = defineWebhookStore(
  'deliveries.store_webhooks',
  'on conflict (company_id, source_id, received_sha256) where connection_id is null do nothing',
)

/*
 * A key that the source knows from a push, from before it changed its way, is left alone too, whatever the body. To look
 * for that costs each delivery an eighth of what storing it costs.
 */
const storeBesidePushesStatement = defineWebhookStore(
  'deliveries.store_webhooks_beside_pushes',
  'on conflict do nothing',
)

const uniqueViolation = '23505'

/**
 * Stores every webhook delivery whose source is active and whose id and body are new, and puts it into the backlog: one
 * statement, all of them or none. Any number of processes may call at once: of equal bodies exactly one is stored, and
 * of equal ids with different bodies exactly one claims the id. Gives the number of rows written; `findWebhooks`
 * tells which.
 */
export const storeWebhooks: StoreDeliveries = async (on, deliveries, nowMs) => {
  const parameters = storeParameters(deliveries, nowMs)
  try {
    return (await storeStatement.first(on, parameters))!.stored
  } catch (error) {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error
    return (await storeBesidePushesStatement.first(on, parameters))!.stored
  }
}

const aliasStatement = defineStatement(
  'deliveries.remember_alias',
  `
  insert into webhook_ids (company_id, source_id, delivery_id, received_sha256)
  select deliveries.company_id, deliveries.source_id, $3::text, deliveries.received_sha256
  from deliveries
  where deliveries.company_id = $1::uuid and deliveries.source_id = $2::uuid
    and deliveries.received_sha256 = $4::bytea and deliveries.connection_id is null
  on conflict (company_id, source_id, delivery_id) do nothing`,
)

/**
 * Makes a new id of a body that a webhook has brought before its alias [hook.hash], as `storeWebhooks` does on its way;
 * for a body that is not to be stored, whatever is there.
 */
export const rememberAlias = async (
  on: Queryable,
  { target, idempotencyKey, receivedSha256 }: DeliveryIdentity,
): Promise<void> => {
  await aliasStatement.rows(on, [target.companyId, target.sourceId, idempotencyKey, receivedSha256])
}

const findStatement = defineStatement<
  StoredRow & {
    paused: boolean
    /** The body that the id was first sent with. */
    claimed_sha256: Buffer | null
    by_body: boolean | null
  }
>(
  'deliveries.find_webhooks',
  `
  select
    (
      select sources.paused_at is not null
      from sources
      where sources.company_id = asked.company_id and sources.source_id = asked.source_id
    ) as paused,
    (
      select webhook_ids.received_sha256
      from webhook_ids
      where webhook_ids.company_id = asked.company_id and webhook_ids.source_id = asked.source_id
        and webhook_ids.delivery_id = asked.delivery_id
    ) as claimed_sha256,
    stored.connection_id is null and stored.received_sha256 = asked.received_sha256 as by_body,
    stored.artifact_id, stored.shape_version, stored.delivers, stored.dropped_keys, stored.format,
    stored.received_sha256, stored.canonical_sha256, stored.content_bytes
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[])
    with ordinality as asked (company_id, source_id, delivery_id, received_sha256, call)
  left join lateral (
    select
      deliveries.connection_id, deliveries.artifact_id, deliveries.shape_version, deliveries.delivers,
      deliveries.dropped_keys, deliveries.format, deliveries.received_sha256, deliveries.canonical_sha256,
      deliveries.content_bytes
    from deliveries
    where deliveries.company_id = asked.company_id and deliveries.artifact_id = coalesce(
      (
        select same.artifact_id
        from deliveries as same
        where same.company_id = asked.company_id and same.source_id = asked.source_id
          and same.received_sha256 = asked.received_sha256 and same.connection_id is null
      ),
      (
        select keyed.artifact_id
        from deliveries as keyed
        where keyed.company_id = asked.company_id and keyed.source_id = asked.source_id
          and not keyed.sandbox and keyed.idempotency_key = asked.delivery_id
      )
    )
    limit 1
  ) stored on true
  order by asked.call`,
)

/** What is stored under each webhook delivery's id, or of its body, in the order given. */
export const findWebhooks: FindDeliveries = async (on, deliveries) => {
  const rows = await findStatement.rows(on, [
    uuidArray(deliveries.map(({ target }) => target.companyId)),
    uuidArray(deliveries.map(({ target }) => target.sourceId)),
    textArray(deliveries.map((delivery) => delivery.idempotencyKey)),
    byteaArray(deliveries.map((delivery) => delivery.receivedSha256)),
  ])
  return rows.map((row, index) => {
    const { claimed_sha256: claimed, by_body: byBody } = row
    if (claimed !== null && !claimed.equals(deliveries[index]!.receivedSha256)) return { found: 'reused' }
    // The body was stored a moment ago, and the id is not its alias yet: the next round makes it one.
    if (claimed === null && byBody === true) return { found: 'nothing' }
    return toFound(row)
  })
}
