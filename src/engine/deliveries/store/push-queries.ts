/** How pushes are stored and found: by their keys. */
import { boolArray, textArray, uuidArray } from '../../../platform/database/binary-array.ts'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import { isDistributed } from '../../../platform/database/placements.ts'
import { retryLost } from '../../../platform/database/transaction.ts'
import { isAcceptedElsewhere } from '../../../people/companies/moves/elsewhere.ts'
import type { DeliveryIdentity, FoundDelivery, NewDelivery } from './delivery.ts'
import {
  defineInsert,
  defineInsertAndQueue,
  insertAndQueue,
  storeColumns,
  toFound,
  type StoredRow,
  type StorePlace,
} from './queries.ts'

/*
 * Rows are written in the order of their keys, so that two processes that were sent the same keys cannot deadlock.
 */
const parts = {
  name: 'deliveries.insert-pushes',
  orderBy: 'target.source_id, target.sandbox, sent.idempotency_key collate "C"',
  onConflict: 'on conflict (company_id, source_id, sandbox, idempotency_key) do nothing',
}
const insertPushes = defineInsert(parts)
const insertAndQueuePushes = defineInsertAndQueue(parts)

/**
 * Stores every pushed delivery whose source is active in this shard and whose key is new, and puts it into the backlog: one
 * transaction, all of them or none. Any number of processes may call concurrently; of equal keys, in one call or in
 * several, exactly one is stored. Returns the number of deliveries stored; `findPushes` finds out which.
 */
export async function storePushes(
  place: StorePlace,
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<number> {
  const { pool, shard } = place
  if (isDistributed(pool.options.connectionString!)) {
    return insertAndQueue(place, [insertPushes], deliveries, nowMs)
  }
  const columns = storeColumns(shard, deliveries, nowMs)
  const { rowCount } = await retryLost(() => insertAndQueuePushes.run(pool, columns))
  return rowCount!
}

const selectPushes = defineStatement<
  StoredRow & { elsewhere: boolean; paused: boolean },
  { shard: number; companyIds: Buffer; sourceIds: Buffer; sandboxes: Buffer; idempotencyKeys: Buffer }
>(
  'deliveries.select-pushes',
  `
  select
    ${isAcceptedElsewhere('requested.company_id')} as elsewhere, sources.paused_at is not null as paused, deliveries.artifact_id, deliveries.shape_version, deliveries.delivers,
    deliveries.dropped_keys, deliveries.format, deliveries.received_sha256, deliveries.canonical_sha256,
    deliveries.content_bytes
  from unnest($companyIds::uuid[], $sourceIds::uuid[], $sandboxes::boolean[], $idempotencyKeys::text[])
    with ordinality as requested (company_id, source_id, sandbox, idempotency_key, call)
  left join sources on sources.company_id = requested.company_id and sources.source_id = requested.source_id
  left join deliveries on deliveries.company_id = requested.company_id and deliveries.source_id = requested.source_id
    and deliveries.sandbox = requested.sandbox and deliveries.idempotency_key = requested.idempotency_key
  order by requested.call`,
)

/** What is stored under each push's key, in the order given. */
export async function findPushes(
  { pool, shard }: StorePlace,
  deliveries: readonly DeliveryIdentity[],
): Promise<FoundDelivery[]> {
  const rows = await selectPushes.rows(pool, {
    shard,
    companyIds: uuidArray(deliveries.map(({ target }) => target.companyId)),
    sourceIds: uuidArray(deliveries.map(({ target }) => target.sourceId)),
    sandboxes: boolArray(deliveries.map(({ target }) => target.sandbox)),
    idempotencyKeys: textArray(deliveries.map((delivery) => delivery.idempotencyKey)),
  })
  return rows.map(toFound)
}
