import { boolArray, byteaArray, int4Array, textArray, uuidArray } from '../../database/binary-array.ts'
import { defineStatement, type Statement } from '../../database/define-statement.ts'
import type { Queryable } from '../../database/pool.ts'
import type { Delivers } from '../../sources/declaration.ts'
import type { DeliveryContent, DeliveryFormat, ReadDelivery } from '../intake/delivery.ts'

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
function arrayLiteral(texts: readonly string[]): string {
  return texts.length === 0
    ? '{}'
    : `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** What the two channels differ in when they store. */
interface StoreParts {
  name: string
  /** Further `with` queries, before the deliveries are written; each ends with a comma. */
  claimed?: string
  /** Joins and conditions that `sent` and `target` have to pass beside being active. */
  where?: string
  orderBy: string
  onConflict: string
}

/*
 * All contents are one parameter, cut by position: as `bytea[]` the driver would copy each one more time, and as text
 * they would double. Targets stand apart, since hundreds of deliveries go to a few.
 *
 * Receive numbers follow the order of the calls. `do nothing` waits for whoever writes the same key now, and then leaves
 * his row alone. Only active sources take rows.
 */
export function defineStore(parts: StoreParts): Statement<{ stored: number }, readonly unknown[]> {
  return defineStatement<{ stored: number }>(
    parts.name,
    `
  with target as materialized (
    select
      wanted.target, sources.company_id, sources.source_id, wanted.sandbox, wanted.connection_id, wanted.delivers,
      sources.paused_at is null as active
    from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::text[])
      with ordinality as wanted (company_id, source_id, sandbox, connection_id, delivers, target)
    join sources on sources.company_id = wanted.company_id and sources.source_id = wanted.source_id
  ),
  sent as (
    select
      sent.target, sent.artifact_id, sent.idempotency_key, sent.shape_version, sent.dropped_keys, sent.format,
      sent.received_sha256, sent.canonical_sha256, sent.content_start, sent.stored_bytes, sent.content_encoding,
      sent.content_bytes, nextval('receive_numbers') as receive_number
    from unnest(
      $6::integer[], $7::uuid[], $8::text[], $9::integer[], $10::text[], $11::text[],
      $12::bytea[], $13::bytea[], $14::integer[], $15::integer[], $16::text[], $17::integer[]
    ) as sent (
      target, artifact_id, idempotency_key, shape_version, dropped_keys, format,
      received_sha256, canonical_sha256, content_start, stored_bytes, content_encoding, content_bytes
    )
  ),${parts.claimed ?? ''}
  stored as (
    insert into deliveries (
      company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number, received_at, connection_id,
      shape_version, delivers, dropped_keys, format, received_sha256, canonical_sha256, content, content_encoding,
      content_bytes
    )
    select
      target.company_id, sent.artifact_id, target.source_id, target.sandbox, sent.idempotency_key,
      sent.receive_number, $18::timestamptz, target.connection_id,
      sent.shape_version, target.delivers, sent.dropped_keys::text[], sent.format, sent.received_sha256,
      sent.canonical_sha256, substring($19::bytea from sent.content_start for sent.stored_bytes),
      sent.content_encoding, sent.content_bytes
    from sent
    join target on target.target = sent.target and target.active${parts.where ?? ''}
    order by ${parts.orderBy}
    ${parts.onConflict}
    returning company_id, source_id, artifact_id, receive_number, received_at, content_bytes
  ),
  queued as (
    insert into backlog (receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at)
    select
      stored.receive_number, 0, stored.company_id, stored.source_id, stored.artifact_id, stored.content_bytes,
      stored.received_at
    from stored
  )
  select count(*)::integer as stored from stored`,
  )
}

/*
 * Rows are written in the order of their keys, so that two processes that were sent the same keys wait for each other
 * and never in a cycle.
 */
const storeStatement = defineStore({
  name: 'deliveries.store',
  orderBy: 'target.source_id, target.sandbox, sent.idempotency_key collate "C"',
  onConflict: 'on conflict (company_id, source_id, sandbox, idempotency_key) do nothing',
})

/** The parameters of a statement that `defineStore` made. */
export function storeParameters(deliveries: readonly NewDelivery[], nowMs: number): unknown[] {
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

  return [
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
    textArray(deliveries.map((delivery) => delivery.format)),
    byteaArray(deliveries.map((delivery) => delivery.receivedSha256)),
    byteaArray(deliveries.map((delivery) => delivery.canonicalSha256)),
    int4Array(starts),
    int4Array(lengths),
    textArray(deliveries.map((delivery) => delivery.contentEncoding)),
    int4Array(deliveries.map((delivery) => delivery.contentBytes)),
    new Date(nowMs).toISOString(),
    contents,
  ]
}

/**
 * Stores every pushed delivery whose source is active and whose key is new, and puts it into the backlog: one statement,
 * all of them or none. Any number of processes may call at once; of equal keys, in one call or in several, exactly
 * one is stored. Gives the number of rows written; `findPushes` tells which.
 */
export const storePushes: StoreDeliveries = async (on, deliveries, nowMs) =>
  (await storeStatement.first(on, storeParameters(deliveries, nowMs)))!.stored

/** A stored delivery as a call with its key finds it. */
export interface StoredDelivery {
  artifactId: string
  shapeVersion: number
  delivers: Delivers
  droppedKeys: string[]
  format: DeliveryFormat
  receivedSha256: Buffer
  canonicalSha256: Buffer | null
  contentBytes: number
}

/** What a delivery that was not stored meets. */
export type FoundDelivery =
  /** Its key has a delivery, which may be this very one. */
  | { found: 'stored'; stored: StoredDelivery }
  /** Its key is known to be another body's. */
  | { found: 'reused' }
  /** There is nothing under its key, and its source takes nothing now, or does. */
  | { found: 'paused' | 'nothing' }

export type StoreDeliveries = (
  on: Queryable,
  deliveries: readonly NewDelivery[],
  nowMs: number,
) => Promise<number>

/** What a delivery is looked up by. */
export type DeliveryIdentity = Pick<NewDelivery, 'target' | 'idempotencyKey' | 'receivedSha256'>

export type FindDeliveries = (
  on: Queryable,
  deliveries: readonly DeliveryIdentity[],
) => Promise<FoundDelivery[]>

/** What a statement says of one stored delivery; all null where there is none. */
export interface StoredRow {
  artifact_id: string | null
  shape_version: number
  delivers: Delivers
  dropped_keys: string[]
  format: DeliveryFormat
  received_sha256: Buffer
  canonical_sha256: Buffer | null
  content_bytes: number
}

export function toFound(row: StoredRow & { paused: boolean }): FoundDelivery {
  return row.artifact_id === null
    ? { found: row.paused ? 'paused' : 'nothing' }
    : {
        found: 'stored',
        stored: {
          artifactId: row.artifact_id,
          shapeVersion: row.shape_version,
          delivers: row.delivers,
          droppedKeys: row.dropped_keys,
          format: row.format,
          receivedSha256: row.received_sha256,
          canonicalSha256: row.canonical_sha256,
          contentBytes: row.content_bytes,
        },
      }
}

const findStatement = defineStatement<StoredRow & { paused: boolean }>(
  'deliveries.find_pushes',
  `
  select
    sources.paused_at is not null as paused, deliveries.artifact_id, deliveries.shape_version, deliveries.delivers,
    deliveries.dropped_keys, deliveries.format, deliveries.received_sha256, deliveries.canonical_sha256,
    deliveries.content_bytes
  from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[])
    with ordinality as asked (company_id, source_id, sandbox, idempotency_key, call)
  left join sources on sources.company_id = asked.company_id and sources.source_id = asked.source_id
  left join deliveries on deliveries.company_id = asked.company_id and deliveries.source_id = asked.source_id
    and deliveries.sandbox = asked.sandbox and deliveries.idempotency_key = asked.idempotency_key
  order by asked.call`,
)

/** What is stored under each push's key, in the order given. */
export const findPushes: FindDeliveries = async (on, deliveries) => {
  const rows = await findStatement.rows(on, [
    uuidArray(deliveries.map(({ target }) => target.companyId)),
    uuidArray(deliveries.map(({ target }) => target.sourceId)),
    boolArray(deliveries.map(({ target }) => target.sandbox)),
    textArray(deliveries.map((delivery) => delivery.idempotencyKey)),
  ])
  return rows.map(toFound)
}

const contentStatement = defineStatement<{ content: Buffer; content_encoding: 'identity' | 'zstd' }>(
  'deliveries.content',
  `
  select deliveries.content, deliveries.content_encoding
  from deliveries
  where deliveries.company_id = $1::uuid and deliveries.artifact_id = $2::uuid`,
)

/** The stored content of one delivery, as it is kept. */
export async function readContent(
  on: Queryable,
  companyId: string,
  artifactId: string,
): Promise<Pick<DeliveryContent, 'content' | 'contentEncoding'>> {
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
export async function readFieldNames(
  on: Queryable,
  companyId: string,
  sourceId: string,
  shapeVersion: number,
): Promise<string[] | undefined> {
  return (await fieldNamesStatement.first(on, [companyId, sourceId, shapeVersion]))?.names
}
