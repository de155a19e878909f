/**
 * What runs in the worker threads of `large-bodies.ts`: the same steps as for small bodies, one large body at a time.
 */
import { hash } from 'node:crypto'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { payloadSha256, type StoredPayload } from './canonical-sha256.ts'
import { DeclaredNames } from './declared-names.ts'
import type { ReadDelivery } from './delivery.ts'
import { DeliveryError, type SentBody } from './delivery-error.ts'
import { readEnvelope } from './envelope.ts'
import { ownBytes } from './own-bytes.ts'
import { type DocumentEnvelope, readDocumentDelivery } from './read-document-delivery.ts'
import { readJsonDelivery } from './read-json-delivery.ts'

export interface ReadTask {
  task: 'read'
  body: Uint8Array
  /** The source's current version, which nearly every body names, and what it declares. */
  shapeVersion: number
  fieldNames: readonly string[]
}

export interface ReadDocumentTask {
  task: 'read_document'
  body: Uint8Array
  envelope: DocumentEnvelope
  /** What the shape version of the envelope declares. */
  fieldNames: readonly string[]
}

interface ReceivedSha256Task {
  task: 'received_sha256'
  body: Uint8Array
}

interface PayloadSha256Task {
  task: 'payload_sha256'
  payload: StoredPayload
}

export type BodyTask = ReadTask | ReadDocumentTask | ReceivedSha256Task | PayloadSha256Task

/** Errors lose their class between threads. */
export type ReadAnswer =
  | { outcome: 'read'; delivery: ReadDelivery }
  /** The body names another version: it is returned, to be sent again with that version's names. */
  | { outcome: 'other_version'; shapeVersion: number; body: Uint8Array }
  | { outcome: 'refused'; message: string; field: string; sent: SentBody | undefined }

/** Transfers the bytes instead of copying them; they must own their whole buffer. */
function handOver(answer: ReadAnswer, bytes: Uint8Array): unknown {
  return move({
    get [transferableSymbol]() {
      return [bytes.buffer]
    },
    get [valueSymbol]() {
      return answer
    },
  } as never)
}

function handOverDelivery(delivery: ReadDelivery): unknown {
  const content = ownBytes(delivery.content)
  return handOver({ outcome: 'read', delivery: { ...delivery, content } }, content)
}

function read({ body, shapeVersion, fieldNames }: ReadTask): unknown {
  const envelope = readEnvelope(body, shapeVersion)
  if (envelope.shapeVersion !== shapeVersion) {
    return handOver({ outcome: 'other_version', shapeVersion: envelope.shapeVersion, body }, body)
  }
  return handOverDelivery(readJsonDelivery(body, envelope, new DeclaredNames(fieldNames)))
}

function readDocument({ body, envelope, fieldNames }: ReadDocumentTask): unknown {
  return handOverDelivery(readDocumentDelivery(body, envelope, new DeclaredNames(fieldNames)))
}

export default (task: BodyTask): unknown => {
  if (task.task === 'payload_sha256') return payloadSha256(task.payload)
  if (task.task === 'received_sha256') return hash('sha256', task.body, 'buffer')
  try {
    return task.task === 'read' ? read(task) : readDocument(task)
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    const { message, field, sent } = error
    return { outcome: 'refused', message, field, sent } satisfies ReadAnswer
  }
}
