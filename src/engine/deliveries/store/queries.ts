/** What storing and finding deliveries has in common for both channels. */
import type { Pool } from 'pg'
import type { Format } from '../../formats/formats.ts'
import {
  boolArray,
  byteaArray,
  int4Array,
  textArray,
  uuidArray,
} from '../../../platform/database/binary-array.ts'
import { selectQueue } from '../../backlog/queues.ts'
import { defineStatement, type Statement } from '../../../platform/database/define-statement.ts'
import { isAcceptedElsewhere } from '../../../people/companies/moves/elsewhere.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { inOneTransaction } from '../../../platform/database/transaction.ts'
import type { Delivers } from '../../declarations/declaration.ts'
import type { ComparedBy, DeliveryContent } from '../intake/delivery.ts'
import type { DeliveryTarget, FoundDelivery, NewDelivery } from './delivery.ts'
import { drawNumber } from './receive-numbers.ts'

/** A JSON array, since `unnest` would flatten an array of arrays; null for the usual empty one. */
function toJsonArray(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : JSON.stringify(texts)
}

/** The shard in which deliveries are stored and found. */
export interface StorePlace {
  pool: Pool
  shard: number
}

/** Where the statements of the two channels differ. */
interface InsertParts {
  name: string
  /** Further joins and conditions on `sent` and `target`. */
  where?: string
  orderBy: string
  onConflict: string
}

/**
 * The deliveries of a call, the source that each is for, and what is added to the number that the call drew. None of companies
 * that are not in this shard, and none at all of a call that must draw again (`receive-numbers.ts`). A statement that begins
 * with them has `storeParameters`.
 */
export const sentDeliveries = `
  from unnest(
    $targets::integer[], $artifactIds::uuid[], $idempotencyKeys::text[], $shapeVersions::integer[],
    $droppedKeys::text[], $formats::text[], $receivedSha256s::bytea[], $canonicalSha256s::bytea[],
    $contentStarts::integer[], $storedBytes::integer[], $contentEncodings::text[], $contentBytes::integer[]
  ) with ordinality as sent (
    target, artifact_id, idempotency_key, shape_version, dropped_keys, format, received_sha256, canonical_sha256,
    content_start, stored_bytes, content_encoding, content_bytes, place
  )
  join unnest(
    $targetCompanyIds::uuid[], $targetSourceIds::uuid[], $targetSandboxes::boolean[], $targetConnectionIds::uuid[],
    $targetDelivers::text[]
  ) with ordinality as target (company_id, source_id, sandbox, connection_id, delivers, target)
    on target.target = sent.target
  join sources on sources.company_id = target.company_id and sources.source_id = target.source_id
    and not ${isAcceptedElsewhere('target.company_id')}
  join receive_numbering on receive_numbering.node_range = $drawnRange::integer
    and receive_numbering.settled_to < $drawnNumber::bigint`

export const receiveNumber = 'receive_numbering.number_offset + $drawnNumber::bigint + sent.place'

/** The place in the backlog of each of the deliveries in `stored`. */
const queueOfStored = `
  insert into backlog (
    receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at, queue
  )
  select
    stored.receive_number, 0, stored.company_id, stored.source_id, stored.artifact_id, stored.content_bytes,
    stored.received_at, ${selectQueue('0', 'stored.content_bytes')}`

/*
 * All contents are one parameter, cut by position: as `bytea[]` the driver would copy each once more, and as text they
 * would double in size. Targets are parameters of their own, since hundreds of deliveries go to a few.
 *
 * Receive numbers follow the order of the calls (`receive-numbers.ts`). `do nothing` waits for a transaction that is
 * writing the same key, and then leaves its row alone. Only active sources accept rows.
 *
 * Citus passes an insert on to the shard whole, with its parameters as they are, only if it is not part of another
 * statement and calls no function that is volatile or stable, such as `nextval` or the conversion to an array of texts. As one
 * statement with what follows, this cost ten times as much there.
 */
function toInsert(parts: InsertParts): string {
  return `
  insert into deliveries (
    company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number, received_at, connection_id,
    shape_version, delivers, dropped_keys, format, received_sha256, canonical_sha256, content, content_encoding,
    content_bytes
  )
  select
    target.company_id, sent.artifact_id, target.source_id, target.sandbox, sent.idempotency_key,
    ${receiveNumber}, $receivedAt::timestamptz,
    target.connection_id, sent.shape_version, target.delivers,
    case
      when sent.dropped_keys is null then '{}'
      else array(select jsonb_array_elements_text(sent.dropped_keys::jsonb))
    end,
    sent.format, sent.received_sha256, sent.canonical_sha256,
    substring($contents::bytea from sent.content_start for sent.stored_bytes), sent.content_encoding,
    sent.content_bytes
  ${sentDeliveries} and sources.paused_at is null${parts.where ?? ''}
  order by ${parts.orderBy}
  ${parts.onConflict}`
}

export function defineInsert(parts: InsertParts): Statement<never, StoreParameters> {
  return defineStatement<never, StoreParameters>(parts.name, toInsert(parts))
}

/**
 * Puts the deliveries that the statement before has stored into the backlog. Each is the first one from its key on, which only the primary key finds:
 * planned on an empty table, equal keys would be looked for in the whole table as long as the connection lasts.
 */
const queueStored = defineStatement<never, StoreParameters>(
  'deliveries.queue-stored',
  `
  ${queueOfStored}
  from unnest($companyIds::uuid[], $artifactIds::uuid[]) as sent (company_id, artifact_id)
  cross join lateral (
    select deliveries.receive_number, deliveries.company_id, deliveries.source_id, deliveries.artifact_id,
      deliveries.content_bytes, deliveries.received_at
    from deliveries
    where deliveries.company_id = sent.company_id and deliveries.artifact_id >= sent.artifact_id
    order by deliveries.company_id, deliveries.artifact_id
    limit 1
  ) as stored
  where stored.artifact_id = sent.artifact_id`,
)

/**
 * The same as one statement, which draws its number itself: for a plain PostgreSQL, where it saves a round trip and four
 * messages for each batch.
 */
export function defineInsertAndQueue(parts: InsertParts): Statement<never, StoreColumns> {
  const insert = toInsert(parts)
    .replace('$drawnRange::integer', '0')
    .replaceAll('$drawnNumber::bigint', '(select drawn.number from drawn)')
  return defineStatement<never, StoreColumns>(
    `${parts.name}-and-queue`,
    `
  with drawn as materialized (select nextval('receive_numbers') as number),
  stored as (
    ${insert}
    returning company_id, source_id, artifact_id, receive_number, received_at, content_bytes
  )
  ${queueOfStored}
  from stored`,
  )
}

/**
 * Stores the deliveries in one transaction: what `inserts` writes, the last of which writes the deliveries, and the backlog.
 * Returns the number of deliveries stored.
 */
export async function insertAndQueue(
  { pool, shard }: StorePlace,
  inserts: readonly Statement<never, StoreParameters>[],
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<number> {
  const drawing = drawNumber(pool)
  const columns = storeColumns(shard, deliveries, nowMs)
  const { range: drawnRange, number: drawnNumber } = await drawing
  const parameters = { ...columns, drawnRange, drawnNumber }
  const results = await inOneTransaction(pool, (client) =>
    [...inserts, queueStored].map((statement) => statement.run(client, parameters)),
  )
  return results.at(-1)!.rowCount!
}

/** The targets of a batch, each once, and the number of each delivery's target, from 1. */
function distinctTargets(deliveries: readonly NewDelivery[]): {
  targets: DeliveryTarget[]
  numbers: number[]
} {
  const targets: DeliveryTarget[] = []
  const numberByKey = new Map<string, number>()
  const numbers = deliveries.map(({ target }) => {
    const { companyId, sourceId, sandbox, connectionId, delivers } = target
    const key = `${companyId}${sourceId}${connectionId}${sandbox}${delivers}`
    let number = numberByKey.get(key)
    if (number === undefined) {
      number = targets.push(target)
      numberByKey.set(key, number)
    }
    return number
  })
  return { targets, numbers }
}

/** All contents joined, and where each begins, from 1. */
function joinContents(deliveries: readonly NewDelivery[]): { contents: Buffer; starts: number[] } {
  let bytes = 0
  const starts = deliveries.map(({ content }) => {
    const start = bytes + 1
    bytes += content.length
    return start
  })
  const contents = Buffer.allocUnsafe(bytes)
  for (const [index, { content }] of deliveries.entries()) contents.set(content, starts[index]! - 1)
  return { contents, starts }
}

export function storeColumns(shard: number, deliveries: readonly NewDelivery[], nowMs: number) {
  const { targets, numbers } = distinctTargets(deliveries)
  const { contents, starts } = joinContents(deliveries)
  return {
    shard,
    targetCompanyIds: uuidArray(targets.map((target) => target.companyId)),
    targetSourceIds: uuidArray(targets.map((target) => target.sourceId)),
    targetSandboxes: boolArray(targets.map((target) => target.sandbox)),
    targetConnectionIds: uuidArray(targets.map((target) => target.connectionId)),
    targetDelivers: textArray(targets.map((target) => target.delivers)),
    targets: int4Array(numbers),
    companyIds: uuidArray(deliveries.map(({ target }) => target.companyId)),
    artifactIds: uuidArray(deliveries.map((delivery) => delivery.artifactId)),
    idempotencyKeys: textArray(deliveries.map((delivery) => delivery.idempotencyKey)),
    shapeVersions: int4Array(deliveries.map((delivery) => delivery.shapeVersion)),
    droppedKeys: textArray(deliveries.map((delivery) => toJsonArray(delivery.droppedKeys))),
    formats: textArray(deliveries.map((delivery) => delivery.format)),
    receivedSha256s: byteaArray(deliveries.map((delivery) => delivery.receivedSha256)),
    canonicalSha256s: byteaArray(deliveries.map(toCanonicalColumn)),
    contentStarts: int4Array(starts),
    storedBytes: int4Array(deliveries.map((delivery) => delivery.content.length)),
    contentEncodings: textArray(deliveries.map((delivery) => delivery.contentEncoding)),
    contentBytes: int4Array(deliveries.map((delivery) => delivery.contentBytes)),
    receivedAt: new Date(nowMs).toISOString(),
    contents,
  }
}

export type StoreColumns = ReturnType<typeof storeColumns>

/** The parameters of `defineInsert`, `queueStored` and what begins with `sentDeliveries`. */
export type StoreParameters = StoreColumns & { drawnRange: number; drawnNumber: bigint }

/*
 * How a row shows what its delivery is compared by: if by its bytes, `canonical_sha256` equals `received_sha256`. They
 * never are equal for a JSON push, since its payload is not the whole body.
 */
function toCanonicalColumn({
  comparedBy,
  receivedSha256,
  canonicalSha256,
}: Pick<NewDelivery, 'comparedBy' | 'receivedSha256' | 'canonicalSha256'>): Uint8Array | null {
  return comparedBy === 'bytes' ? receivedSha256 : canonicalSha256
}

function fromCanonicalColumn(
  column: Buffer | null,
  receivedSha256: Buffer,
): { comparedBy: ComparedBy; canonicalSha256: Buffer | null } {
  return column?.equals(receivedSha256) === true
    ? { comparedBy: 'bytes', canonicalSha256: null }
    : { comparedBy: 'value', canonicalSha256: column }
}

/** A statement's columns of one stored delivery; all null if there is none. */
export interface StoredRow {
  artifact_id: string | null
  shape_version: number
  delivers: Delivers
  dropped_keys: string[]
  format: Format
  received_sha256: Buffer
  canonical_sha256: Buffer | null
  content_bytes: number
}

/** The outcome of looking up a delivery. */
export function toFound(row: StoredRow & { elsewhere: boolean; paused: boolean }): FoundDelivery {
  if (row.elsewhere) return { found: 'elsewhere', artifactId: row.artifact_id }
  if (row.artifact_id === null) return { found: row.paused ? 'paused' : 'nothing' }
  return {
    found: 'stored',
    stored: {
      artifactId: row.artifact_id,
      shapeVersion: row.shape_version,
      delivers: row.delivers,
      droppedKeys: row.dropped_keys,
      format: row.format,
      receivedSha256: row.received_sha256,
      ...fromCanonicalColumn(row.canonical_sha256, row.received_sha256),
      contentBytes: row.content_bytes,
    },
  }
}

const selectContent = defineStatement<
  { content: Buffer; content_encoding: 'identity' | 'zstd' },
  { companyId: string; artifactId: string }
>(
  'deliveries.select-content',
  `
  select deliveries.content, deliveries.content_encoding
  from deliveries
  where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = $artifactId::uuid`,
)

/** The content of one delivery, as stored. */
export async function readContent(
  on: Queryable,
  companyId: string,
  artifactId: string,
): Promise<Pick<DeliveryContent, 'content' | 'contentEncoding'>> {
  const row = await selectContent.first(on, { companyId, artifactId })
  return { content: row!.content, contentEncoding: row!.content_encoding }
}
