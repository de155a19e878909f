/** How webhooks are stored and found: by their ids and by their bodies. */
import { byteaArray, textArray, uuidArray } from '../../../platform/database/binary-array.ts'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import { isAcceptedElsewhere } from '../../../people/companies/moves/elsewhere.ts'
import { drawNumber } from './receive-numbers.ts'
import type { DeliveryIdentity, FoundDelivery, NewDelivery } from './delivery.ts'
import {
  defineInsert,
  insertAndQueue,
  receiveNumber,
  sentDeliveries,
  toFound,
  type StoredRow,
  type StorePlace,
  type StoreParameters,
} from './queries.ts'

/*
 * First each delivery claims its id for its body, then the bodies that are not stored yet are written: an id whose body
 * was stored already becomes its alias. A paused source accepts new ids for bodies that it has, and nothing else. Ids are
 * claimed in order, and then bodies are written in order, so that processes that were sent the same ones cannot
 * deadlock.
 */
const claimIds = defineStatement<never, StoreParameters>(
  'deliveries.claim-webhook-ids',
  `
  insert into webhook_ids (company_id, source_id, delivery_id, received_sha256, receive_number)
  select target.company_id, target.source_id, sent.idempotency_key, sent.received_sha256, ${receiveNumber}
  ${sentDeliveries}
  where sources.paused_at is null or (
    select true
    from deliveries
    where deliveries.company_id = target.company_id and deliveries.source_id = target.source_id
      and deliveries.received_sha256 = sent.received_sha256 and deliveries.connection_id is null
    limit 1
  )
  order by target.source_id, sent.idempotency_key collate "C", sent.place
  on conflict (company_id, source_id, delivery_id) do nothing`,
)

/** The body of an id that was claimed before is stored already. */
function defineWebhookInsert(name: string, onConflict: string) {
  return defineInsert({
    name,
    where: `
  join webhook_ids on webhook_ids.company_id = target.company_id and webhook_ids.source_id = target.source_id
    and webhook_ids.delivery_id = sent.idempotency_key and webhook_ids.received_sha256 = sent.received_sha256`,
    orderBy: 'target.source_id, sent.received_sha256, sent.place',
    onConflict,
  })
}

const insertWebhooks = defineWebhookInsert(
  'deliveries.insert-webhooks',
  'on conflict (company_id, source_id, received_sha256) where connection_id is null do nothing',
)

/*
 * Also leaves alone keys of earlier pushes, from before the source took webhooks, whether or not the body is the same.
 * Checking for them adds an eighth to the cost of storing a delivery.
 */
const insertWebhooksBesidePushes = defineWebhookInsert(
  'deliveries.insert-webhooks-with-pushes',
  'on conflict do nothing',
)

const uniqueViolation = '23505'

/**
 * Stores every webhook delivery whose source is active and whose id and body are new, and puts it into the backlog: one
 * transaction, all of them or none. Any number of processes may call concurrently: of equal bodies exactly one is
 * stored, and of equal ids with different bodies exactly one claims the id. Returns the number of deliveries stored;
 * `findWebhooks` finds out which.
 */
export async function storeWebhooks(
  place: StorePlace,
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<number> {
  try {
    return await insertAndQueue(place, [claimIds, insertWebhooks], deliveries, nowMs)
  } catch (error) {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error
    return insertAndQueue(place, [claimIds, insertWebhooksBesidePushes], deliveries, nowMs)
  }
}

const insertAlias = defineStatement<
  never,
  {
    shard: number
    companyId: string
    sourceId: string
    deliveryId: string
    receivedSha256: Uint8Array
    drawnNumber: bigint
  }
>(
  'deliveries.insert-alias',
  `
  insert into webhook_ids (company_id, source_id, delivery_id, received_sha256, receive_number)
  select deliveries.company_id, deliveries.source_id, $deliveryId::text, deliveries.received_sha256,
    receive_numbering.number_offset + $drawnNumber::bigint
  from deliveries cross join receive_numbering
  where deliveries.company_id = $companyId::uuid and deliveries.source_id = $sourceId::uuid
    and deliveries.received_sha256 = $receivedSha256::bytea and deliveries.connection_id is null
    and not ${isAcceptedElsewhere('$companyId::uuid')}
  on conflict (company_id, source_id, delivery_id) do nothing`,
)

/**
 * Makes a new id an alias of a body that a webhook brought before [hook.hash], as `storeWebhooks` does along the way:
 * for a body that is not stored again.
 */
export async function addAlias(
  { pool, shard }: StorePlace,
  { target, idempotencyKey, receivedSha256 }: DeliveryIdentity,
): Promise<void> {
  const { companyId, sourceId } = target
  const { number: drawnNumber } = await drawNumber(pool)
  const alias = { shard, companyId, sourceId, deliveryId: idempotencyKey, receivedSha256, drawnNumber }
  await insertAlias.run(pool, alias)
}

const selectWebhooks = defineStatement<
  StoredRow & {
    elsewhere: boolean
    paused: boolean
    /** The body that the id was first sent with. */
    claimed_sha256: Buffer | null
    by_body: boolean | null
  },
  { shard: number } & Record<'companyIds' | 'sourceIds' | 'deliveryIds' | 'receivedSha256s', Buffer>
>(
  'deliveries.select-webhooks',
  `
  select
    ${isAcceptedElsewhere('requested.company_id')} as elsewhere,
    (
      select sources.paused_at is not null
      from sources
      where sources.company_id = requested.company_id and sources.source_id = requested.source_id
    ) as paused,
    (
      select webhook_ids.received_sha256
      from webhook_ids
      where webhook_ids.company_id = requested.company_id and webhook_ids.source_id = requested.source_id
        and webhook_ids.delivery_id = requested.delivery_id
    ) as claimed_sha256,
    stored.connection_id is null and stored.received_sha256 = requested.received_sha256 as by_body,
    stored.artifact_id, stored.shape_version, stored.delivers, stored.dropped_keys, stored.format,
    stored.received_sha256, stored.canonical_sha256, stored.content_bytes
  from unnest($companyIds::uuid[], $sourceIds::uuid[], $deliveryIds::text[], $receivedSha256s::bytea[])
    with ordinality as requested (company_id, source_id, delivery_id, received_sha256, call)
  left join lateral (
    select
      deliveries.connection_id, deliveries.artifact_id, deliveries.shape_version, deliveries.delivers,
      deliveries.dropped_keys, deliveries.format, deliveries.received_sha256, deliveries.canonical_sha256,
      deliveries.content_bytes
    from deliveries
    where deliveries.company_id = requested.company_id and deliveries.artifact_id = coalesce(
      (
        select same.artifact_id
        from deliveries as same
        where same.company_id = requested.company_id and same.source_id = requested.source_id
          and same.received_sha256 = requested.received_sha256 and same.connection_id is null
      ),
      (
        select keyed.artifact_id
        from deliveries as keyed
        where keyed.company_id = requested.company_id and keyed.source_id = requested.source_id
          and not keyed.sandbox and keyed.idempotency_key = requested.delivery_id
      )
    )
    limit 1
  ) stored on true
  order by requested.call`,
)

/** What is stored under each webhook delivery's id, or with its body, in the order given. */
export async function findWebhooks(
  { pool, shard }: StorePlace,
  deliveries: readonly DeliveryIdentity[],
): Promise<FoundDelivery[]> {
  const rows = await selectWebhooks.rows(pool, {
    shard,
    companyIds: uuidArray(deliveries.map(({ target }) => target.companyId)),
    sourceIds: uuidArray(deliveries.map(({ target }) => target.sourceId)),
    deliveryIds: textArray(deliveries.map((delivery) => delivery.idempotencyKey)),
    receivedSha256s: byteaArray(deliveries.map((delivery) => delivery.receivedSha256)),
  })
  return rows.map((row, index) => {
    const { elsewhere, claimed_sha256: claimed, by_body: byBody } = row
    if (elsewhere) return toFound(row)
    if (claimed !== null && !claimed.equals(deliveries[index]!.receivedSha256)) return { found: 'reused' }
    // The body was just stored, and the id is not its alias yet: the next round makes it one.
    if (claimed === null && byBody === true) return { found: 'nothing' }
    return toFound(row)
  })
}
