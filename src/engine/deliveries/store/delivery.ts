/** A delivery on its way to its row, and as it is found there. */
import type { Format } from '../../formats/formats.ts'
import type { Delivers } from '../../declarations/declaration.ts'
import type { ComparedBy, ReadDelivery } from '../intake/delivery.ts'

/**
 * Where a delivery goes, and how it came in. A push has its connection and its key; a webhook has no connection, and
 * its body is stored once even under several ids.
 */
export type DeliveryTarget = {
  companyId: string
  sourceId: string
  sandbox: boolean
  delivers: Delivers
} & ({ channel: 'push'; connectionId: string } | { channel: 'webhook'; connectionId: null })

/** How a delivery arrives. */
export type Channel = DeliveryTarget['channel']

/** A delivery on its way to its row. */
export interface NewDelivery extends ReadDelivery {
  target: DeliveryTarget
  /** Chosen by the caller, so that the receipt is known before the row is written. */
  artifactId: string
}

/** What a delivery is looked up by. */
export type DeliveryIdentity = Pick<NewDelivery, 'target' | 'idempotencyKey' | 'receivedSha256'>

/** A stored delivery as a call with its key finds it. */
export interface StoredDelivery {
  artifactId: string
  shapeVersion: number
  delivers: Delivers
  droppedKeys: string[]
  format: Format
  comparedBy: ComparedBy
  receivedSha256: Buffer
  canonicalSha256: Buffer | null
  contentBytes: number
}

/** What a delivery that was not stored came upon. */
export type FoundDelivery =
  /** Its key has a delivery, which may be this very one. */
  | { found: 'stored'; stored: StoredDelivery }
  /** Its key is known to be another body's. */
  | { found: 'reused' }
  /** Nothing is stored under its key, and its source is paused, or is not. */
  | { found: 'paused' | 'nothing' }
  /**
   * Its company is in another shard, or moves to one right now. What is stored under its key here counts no more, unless it
   * is this very one: then it has moved along.
   */
  | { found: 'elsewhere'; artifactId: string | null }
