/** What is stored: a delivery on its way to its row, and as it is found there. */
import type { Delivers } from '../../sources/declaration.ts'
import type { ComparedBy, DeliveryFormat, ReadDelivery } from '../intake/delivery.ts'

/**
 * Where deliveries of one batch go, and how they came in. A push has its connection and its key; a webhook has no
 * connection, and its body is stored once, also under several ids.
 */
export type DeliveryTarget = {
  companyId: string
  sourceId: string
  sandbox: boolean
  delivers: Delivers
} & ({ channel: 'push'; connectionId: string } | { channel: 'webhook'; connectionId: null })

/** How a delivery comes in. */
export type Channel = DeliveryTarget['channel']

/** A delivery on its way to its row. */
export interface NewDelivery extends ReadDelivery {
  target: DeliveryTarget
  /** Made by the caller, so that the receipt is known before the row. */
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
  format: DeliveryFormat
  comparedBy: ComparedBy
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
