/**
 * What runs in the worker threads of `large-bodies.ts`: the same steps as for small bodies, one large body at a time.
 */
import { hash } from 'node:crypto'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { DeclaredNames } from '../../formats/declared-names.ts'
import type { ReadDelivery } from './delivery.ts'
import { DeliveryError, type SentBody } from './delivery-error.ts'
import { readEnvelope } from './envelope.ts'
import { ownBytes } from './own-bytes.ts'
import { type DocumentEnvelope, readDocumentDelivery } from './read-document-delivery.ts'
import { readJsonDelivery } from './read-json-delivery.ts'

export interface ReadTask {
  body: Uint8Array
  /** The source's current version, which nearly every body names, and what it declares. */
  shapeVersion: number
  fieldNames: readonly string[]
}

export interface ReadDocumentTask {
  body: Uint8Array
  envelope: DocumentEnvelope
  /** What the shape version of the envelope declares. */
  fieldNames: readonly string[]
}

/** Errors lose their class between threads. */
export interface RefusedBody {
  outcome: 'refused'
  message: string
  field: string
  sent: SentBody | undefined
}

interface ParsedBody {
  outcome: 'read'
  delivery: ReadDelivery
}

/** The body is returned, to be sent again with the names of the version that it names. */
interface BodyOfOtherVersion {
  outcome: 'other_version'
  shapeVersion: number
  body: Uint8Array
}

/** Transfers the bytes instead of copying them; they must own their whole buffer. */
function handOver<Answer>(answer: Answer, bytes: Uint8Array): Answer {
  return move({
    get [transferableSymbol]() {
      return [bytes.buffer]
    },
    get [valueSymbol]() {
      return answer
    },
  } as never) as never
}

function handOverDelivery(delivery: ReadDelivery): ParsedBody {
  const content = ownBytes(delivery.content)
  return handOver({ outcome: 'read', delivery: { ...delivery, content } }, content)
}

function orRefused<Answer>(read: () => Answer): Answer | RefusedBody {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    const { message, field, sent } = error
    return { outcome: 'refused', message, field, sent }
  }
}

export function read(task: ReadTask): ParsedBody | BodyOfOtherVersion | RefusedBody {
  const { body, shapeVersion, fieldNames } = task
  return orRefused((): ParsedBody | BodyOfOtherVersion => {
    const envelope = readEnvelope(body, shapeVersion)
    if (envelope.shapeVersion !== shapeVersion) {
      return handOver({ outcome: 'other_version', shapeVersion: envelope.shapeVersion, body }, body)
    }
    return handOverDelivery(readJsonDelivery(body, envelope, new DeclaredNames(fieldNames)))
  })
}

export function readDocument({ body, envelope, fieldNames }: ReadDocumentTask): ParsedBody | RefusedBody {
  return orRefused(() =>
    handOverDelivery(readDocumentDelivery(body, envelope, new DeclaredNames(fieldNames))),
  )
}

export function receivedSha256(body: Uint8Array): Uint8Array {
  return hash('sha256', body, 'buffer')
}

export { payloadSha256 } from './canonical-sha256.ts'
