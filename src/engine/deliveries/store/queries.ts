/** What storing and finding deliveries has in common for both channels. */
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
import type { Queryable } from '../../../platform/database/pool.ts'
import type { Delivers } from '../../declarations/declaration.ts'
import type { ComparedBy, DeliveryContent } from '../intake/delivery.ts'
import type { DeliveryTarget, FoundDelivery, NewDelivery } from './delivery.ts'

/** `{}` or `{"a","b"}`: an array of texts as one text, since `unnest` would flatten an array of arrays. */
function arrayLiteral(texts: readonly string[]): string {
  return texts.length === 0
    ? '{}'
    : `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Where the statements of the two channels differ. */
interface StoreParts {
  name: string
  /** Further `with` queries, before the deliveries are written; each ends with a comma. */
  claimed?: string
  /** Joins and conditions on `sent` and `target`, besides being active. */
  where?: string
  orderBy: string
  onConflict: string
}

/*
 * All contents are one parameter, cut by position: as `bytea[]` the driver would copy each once more, and as text they
 * would double in size. Targets are parameters of their own, since hundreds of deliveries go to a few.
 *
 * Receive numbers follow the order of the calls. `do nothing` waits for a transaction that is writing the same key, and
 * then leaves its row alone. Only active sources accept rows.
 */
export function defineStore(parts: StoreParts): Statement<{ stored: number }, StoreParameters> {
  return defineStatement<{ stored: number }, StoreParameters>(
    parts.name,
    `
  with target as materialized (
    select
      wanted.target, sources.company_id, sources.source_id, wanted.sandbox, wanted.connection_id, wanted.delivers,
      sources.paused_at is null as active
    from unnest(
      $targetCompanyIds::uuid[], $targetSourceIds::uuid[], $targetSandboxes::boolean[], $targetConnectionIds::uuid[],
      $targetDelivers::text[]
    ) with ordinality as wanted (company_id, source_id, sandbox, connection_id, delivers, target)
    join sources on sources.company_id = wanted.company_id and sources.source_id = wanted.source_id
  ),
  sent as (
    select
      sent.target, sent.artifact_id, sent.idempotency_key, sent.shape_version, sent.dropped_keys, sent.format,
      sent.received_sha256, sent.canonical_sha256, sent.content_start, sent.stored_bytes, sent.content_encoding,
      sent.content_bytes, nextval('receive_numbers') as receive_number
    from unnest(
      $targets::integer[], $artifactIds::uuid[], $idempotencyKeys::text[], $shapeVersions::integer[],
      $droppedKeys::text[], $formats::text[], $receivedSha256s::bytea[], $canonicalSha256s::bytea[],
      $contentStarts::integer[], $storedBytes::integer[], $contentEncodings::text[], $contentBytes::integer[]
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
      sent.receive_number, $receivedAt::timestamptz, target.connection_id,
      sent.shape_version, target.delivers, sent.dropped_keys::text[], sent.format, sent.received_sha256,
      sent.canonical_sha256, substring($contents::bytea from sent.content_start for sent.stored_bytes),
      sent.content_encoding, sent.content_bytes
    from sent
    join target on target.target = sent.target and target.active${parts.where ?? ''}
    order by ${parts.orderBy}
    ${parts.onConflict}
    returning company_id, source_id, artifact_id, receive_number, received_at, content_bytes
  ),
  queued as (
    insert into backlog (
      receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at, queue
    )
    select
      stored.receive_number, 0, stored.company_id, stored.source_id, stored.artifact_id, stored.content_bytes,
      stored.received_at, ${selectQueue('0', 'stored.content_bytes')}
    from stored
  )
  select count(*)::integer as stored from stored`,
  )
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

/** The parameters of a statement by `defineStore`. */
export function storeParameters(deliveries: readonly NewDelivery[], nowMs: number) {
  const { targets, numbers } = distinctTargets(deliveries)
  const { contents, starts } = joinContents(deliveries)
  return {
    targetCompanyIds: uuidArray(targets.map((target) => target.companyId)),
    targetSourceIds: uuidArray(targets.map((target) => target.sourceId)),
    targetSandboxes: boolArray(targets.map((target) => target.sandbox)),
    targetConnectionIds: uuidArray(targets.map((target) => target.connectionId)),
    targetDelivers: textArray(targets.map((target) => target.delivers)),
    targets: int4Array(numbers),
    artifactIds: uuidArray(deliveries.map((delivery) => delivery.artifactId)),
    idempotencyKeys: textArray(deliveries.map((delivery) => delivery.idempotencyKey)),
    shapeVersions: int4Array(deliveries.map((delivery) => delivery.shapeVersion)),
    droppedKeys: textArray(deliveries.map((delivery) => arrayLiteral(delivery.droppedKeys))),
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

type StoreParameters = ReturnType<typeof storeParameters>

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
export function toFound(row: StoredRow & { paused: boolean }): FoundDelivery {
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
