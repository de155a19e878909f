import { boolArray, byteaArray, int4Array, textArray, uuidArray } from '../database/binary-array.ts'
import { defineStatement } from '../database/define-statement.ts'
import type { Queryable } from '../database/pool.ts'
import type { Delivers } from '../sources/declaration.ts'
import type { DeliveryContent, DeliveryForm, ReadDelivery } from './delivery.ts'

/** What deliveries of one batch can have in common: where they go and how. */
export interface DeliveryTarget {
  companyId: string
  sourceId: string
  sandbox: boolean
  /** Null for a webhook delivery. */
  connectionId: string | null
  delivers: Delivers
}

/** A delivery on its way to its row. */
export interface NewDelivery extends ReadDelivery {
  target: DeliveryTarget
  /** Made by the caller, so that the receipt is known before the row. */
  artifactId: string
}

/** `{}` and `{"a","b"}`: an array of texts as one text, since `unnest` knows no arrays of arrays. */
const arrayLiteral = (texts: readonly string[]): string =>
  texts.length === 0 ? '{}' : `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/*
 * All contents are one parameter, cut by position: as `bytea[]` the driver would copy each one more time, and as text
 * they would double. Targets stand apart, since hundreds of deliveries go to a few.
 *
 * Receive numbers follow the order of the calls; rows are written in the order of their keys, so that two processes
 * that were sent the same keys wait for each other and never in a circle. `do nothing` waits for whoever writes the
 * same key now, and then leaves his row alone. Only active sources take rows.
 */
const storeStatement = defineStatement<{ stored: number }>(
  'deliveries.store',
  `
  with target as materialized (
    select
      wanted.target, sources.company_id, sources.source_id, wanted.sandbox, wanted.connection_id, wanted.delivers
    from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::text[])
      with ordinality as wanted (company_id, source_id, sandbox, connection_id, delivers, target)
    join sources on sources.company_id = wanted.company_id and sources.source_id = wanted.source_id
    where sources.paused_at is null
  ),
  sent as (
    select
      sent.target, sent.artifact_id, sent.idempotency_key, sent.shape_version, sent.dropped_keys, sent.form,
      sent.received_sha256, sent.canonical_sha256, sent.content_start, sent.stored_bytes, sent.content_encoding,
      sent.content_bytes, nextval('receive_numbers') as receive_number
    from unnest(
      $6::integer[], $7::uuid[], $8::text[], $9::integer[], $10::text[], $11::text[],
      $12::bytea[], $13::bytea[], $14::integer[], $15::integer[], $16::text[], $17::integer[]
    ) as sent (
      target, artifact_id, idempotency_key, shape_version, dropped_keys, form,
      received_sha256, canonical_sha256, content_start, stored_bytes, content_encoding, content_bytes
    )
  ),
  stored as (
    insert into deliveries (
      company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number, received_at, connection_id,
      shape_version, delivers, dropped_keys, form, received_sha256, canonical_sha256, content, content_encoding,
      content_bytes
    )
    select
      target.company_id, sent.artifact_id, target.source_id, target.sandbox, sent.idempotency_key,
      sent.receive_number, $18::timestamptz, target.connection_id,
      sent.shape_version, target.delivers, sent.dropped_keys::text[], sent.form, sent.received_sha256,
      sent.canonical_sha256, substring($19::bytea from sent.content_start for sent.stored_bytes),
      sent.content_encoding, sent.content_bytes
    from sent
    join target on target.target = sent.target
    order by target.source_id, target.sandbox, sent.idempotency_key collate "C"
    on conflict (company_id, source_id, sandbox, idempotency_key) do nothing
    returning company_id, source_id, artifact_id, receive_number, received_at, content_bytes
  ),
  queued as (
    insert into backlog (receive_number, fold_id, company_id, source_id, artifact_id, content_bytes, queued_at)
    select
      stored.receive_number, 0, stored.company_id, stored.source_id, stored.artifact_id, stored.content_bytes,
      stored.received_at
    from stored
  )
  select count(*)::integer as stored from stored`,
)

/**
 * Stores every delivery whose source is active and whose key is new, and puts it into the backlog: one statement,
 * all of them or none. Any number of processes may call at once; of equal keys, in one call or in several, exactly
 * one is stored. Gives the number of rows written; `findStored` tells which.
 */
export const storeDeliveries = async (
  on: Queryable,
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<number> => {
  const targets: DeliveryTarget[] = []
  const targetOf = new Map<string, number>()
  const indexes: number[] = []
  const starts: number[] = []
  const lengths: number[] = []
  let bytes = 0
  for (const { target, content } of deliveries) {
    const { companyId, sourceId, sandbox, connectionId, delivers } = target
    const key = `${companyId}${sourceId}${connectionId}${sandbox}${delivers}`
    let index = targetOf.get(key)
    if (index === undefined) {
      index = targets.push(target)
      targetOf.set(key, index)
    }
    indexes.push(index)
    starts.push(bytes + 1)
    lengths.push(content.length)
    bytes += content.length
  }
  const contents = Buffer.allocUnsafe(bytes)
  for (const [index, { content }] of deliveries.entries()) contents.set(content, starts[index]! - 1)

  const row = await storeStatement.first(on, [
    uuidArray(targets.map((target) => target.companyId)),
    uuidArray(targets.map((target) => target.sourceId)),
    boolArray(targets.map((target) => target.sandbox)),
    uuidArray(targets.map((target) => target.connectionId)),
    textArray(targets.map((target) => target.delivers)),
    int4Array(indexes),
    uuidArray(deliveries.map((delivery) => delivery.artifactId)),
    textArray(deliveries.map((delivery) => delivery.idempotencyKey)),
    int4Array(deliveries.map((delivery) => delivery.shapeVersion)),
    textArray(deliveries.map((delivery) => arrayLiteral(delivery.droppedKeys))),
    textArray(deliveries.map((delivery) => delivery.form)),
    byteaArray(deliveries.map((delivery) => delivery.receivedSha256)),
    byteaArray(deliveries.map((delivery) => delivery.canonicalSha256)),
    int4Array(starts),
    int4Array(lengths),
    textArray(deliveries.map((delivery) => delivery.contentEncoding)),
    int4Array(deliveries.map((delivery) => delivery.contentBytes)),
    new Date(nowMs).toISOString(),
    contents,
  ])
  return row!.stored
}

/** A stored delivery as a call with its key finds it. */
export interface StoredDelivery {
  artifactId: string
  shapeVersion: number
  delivers: Delivers
  droppedKeys: string[]
  form: DeliveryForm
  receivedSha256: Buffer
  canonicalSha256: Buffer | null
  contentBytes: number
}

/** What is there under a delivery's key, and whether its source takes deliveries now. */
export interface FoundDelivery {
  paused: boolean
  stored: StoredDelivery | undefined
}

const findStatement = defineStatement<{
  paused: boolean
  artifact_id: string | null
  shape_version: number
  delivers: Delivers
  dropped_keys: string[]
  form: DeliveryForm
  received_sha256: Buffer
  canonical_sha256: Buffer | null
  content_bytes: number
}>(
  'deliveries.find_stored',
  `
  select
    sources.paused_at is not null as paused, deliveries.artifact_id, deliveries.shape_version, deliveries.delivers,
    deliveries.dropped_keys, deliveries.form, deliveries.received_sha256, deliveries.canonical_sha256,
    deliveries.content_bytes
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[])
    with ordinality as asked (company_id, source_id, sandbox, idempotency_key, call)
  left join sources on sources.company_id = asked.company_id and sources.source_id = asked.source_id
  left join deliveries on deliveries.company_id = asked.company_id and deliveries.source_id = asked.source_id
    and deliveries.sandbox = asked.sandbox and deliveries.idempotency_key = asked.idempotency_key
  order by asked.call`,
)

/** What is stored under each delivery's key, in the order given. */
export const findStored = async (
  on: Queryable,
  deliveries: readonly Pick<NewDelivery, 'target' | 'idempotencyKey'>[],
): Promise<FoundDelivery[]> => {
  const rows = await findStatement.rows(on, [
    uuidArray(deliveries.map(({ target }) => target.companyId)),
    uuidArray(deliveries.map(({ target }) => target.sourceId)),
    boolArray(deliveries.map(({ target }) => target.sandbox)),
    textArray(deliveries.map((delivery) => delivery.idempotencyKey)),
  ])
  return rows.map((row) => ({
    paused: row.paused,
    stored:
      row.artifact_id === null
        ? undefined
        : {
            artifactId: row.artifact_id,
            shapeVersion: row.shape_version,
            delivers: row.delivers,
            droppedKeys: row.dropped_keys,
            form: row.form,
            receivedSha256: row.received_sha256,
            canonicalSha256: row.canonical_sha256,
            contentBytes: row.content_bytes,
          },
  }))
}

const contentStatement = defineStatement<{ content: Buffer; content_encoding: 'identity' | 'zstd' }>(
  'deliveries.content',
  `
  select deliveries.content, deliveries.content_encoding
  from deliveries
  where deliveries.company_id = $1::uuid and deliveries.artifact_id = $2::uuid`,
)

/** The stored content of one delivery, as it is kept. */
export const readContent = async (
  on: Queryable,
  companyId: string,
  artifactId: string,
): Promise<Pick<DeliveryContent, 'content' | 'contentEncoding'>> => {
  const row = await contentStatement.first(on, [companyId, artifactId])
  return { content: row!.content, contentEncoding: row!.content_encoding }
}

const fieldNamesStatement = defineStatement<{ names: string[] }>(
  'deliveries.field_names',
  `
  select array(select field ->> 'name' from jsonb_array_elements(shapes.fields) as field) as names
  from shapes
  where shapes.company_id = $1::uuid and shapes.source_id = $2::uuid and shapes.shape_version = $3::integer`,
)

/** The names of the fields that one shape version declares, or undefined where the source has no such version. */
export const readFieldNames = async (
  on: Queryable,
  companyId: string,
  sourceId: string,
  shapeVersion: number,
): Promise<string[] | undefined> =>
  (await fieldNamesStatement.first(on, [companyId, sourceId, shapeVersion]))?.names
