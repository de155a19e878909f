import type { Format } from '../../src/engine/formats/formats.ts'
import { createHash, randomUUID } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import type { Pool } from 'pg'
import { selectQueue } from '../../src/engine/backlog/queues.ts'
import { uuidv7 } from '../../src/formats/values/uuidv7.ts'
import type { TestSource } from './source.ts'

export interface StoredDelivery {
  artifactId: string
  receiveNumber: number
}

export interface StoreOptions {
  sandbox?: boolean
  /** RFC 3339. */
  receivedAt?: string
  shapeVersion?: number
  compressed?: boolean
  format?: Format
  /** False: stored as if it had been parsed already. */
  queued?: boolean
}

/** Stores a delivery with its backlog row, as accepting one does: rows as objects, or the content itself. */
export const storeDelivery = async (
  pool: Pool,
  source: Pick<TestSource, 'companyId' | 'sourceId'>,
  rows: object[] | Buffer,
  options: StoreOptions = {},
): Promise<StoredDelivery> => {
  const {
    sandbox = false,
    receivedAt = '2026-03-01T12:00:00Z',
    shapeVersion = 1,
    compressed = false,
  } = options
  const content = Buffer.isBuffer(rows) ? rows : Buffer.from(JSON.stringify(rows))
  const artifactId = uuidv7(Date.parse(receivedAt))
  // As calls draw it, so that it is in one order with theirs.
  const { rows: drawn } = await pool.query<{ number: string }>(
    `select number_offset + nextval('receive_numbers') as number from receive_numbering`,
  )
  const { rows: stored } = await pool.query<{ receive_number: string }>(
    `with stored as (
      insert into deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number,
        received_at, connection_id, shape_version, delivers, dropped_keys, format, received_sha256, content,
        content_encoding, content_bytes)
      values ($1, $2::uuid, $3, $4, $2::uuid::text, $14, $5, $12, $6, 'events', '{}',
        $13, $7, $8, $9, $10)
      returning company_id, artifact_id, source_id, receive_number, received_at, content_bytes
    ), queued as (
      insert into backlog (
        receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at, queue
      )
      select receive_number, 0, company_id, source_id, artifact_id, content_bytes, received_at,
        ${selectQueue('0', 'content_bytes')}
      from stored
      where $11
    )
    select receive_number from stored`,
    [
      source.companyId,
      artifactId,
      source.sourceId,
      sandbox,
      receivedAt,
      shapeVersion,
      createHash('sha256').update(content).digest(),
      compressed ? zstdCompressSync(content) : content,
      compressed ? 'zstd' : 'identity',
      content.length,
      options.queued ?? true,
      // Any: without one it would be a webhook delivery, of which a body has only one.
      randomUUID(),
      options.format ?? 'json',
      drawn[0]!.number,
    ],
  )
  return { artifactId, receiveNumber: Number(stored[0]!.receive_number) }
}
