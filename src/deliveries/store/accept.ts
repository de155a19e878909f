import type { Pool } from 'pg'
import type { Clock } from '../../clock/clock.ts'
import { OverloadedError } from '../../database/overloaded-error.ts'
import { ApiError } from '../../http/errors.ts'
import { uuidv7 } from '../../values/uuidv7.ts'
import { payloadSha256 } from '../intake/canonical-sha256.ts'
import { inlineBytesMax, type DeliveryContent, type ReadDelivery } from '../intake/delivery.ts'
import type { LargeBodies } from '../intake/large-bodies.ts'
import { readContent, type DeliveryTarget, type NewDelivery, type StoredDelivery } from './queries.ts'
import { writeReceipt } from './receipt.ts'
import type { Store } from './store.ts'

export interface Accepted {
  /** The receipt as JSON: of this delivery, or of the one stored first under its key. */
  receipt: string
  replayed: boolean
}

/** Takes a delivery that was read, whichever channel it came through. */
export type Accept = (read: ReadDelivery, target: DeliveryTarget) => Promise<Accepted>

export interface AcceptOptions {
  pool: Pool
  clock: Clock
  store: Store
  largeBodies: LargeBodies
}

function keyReused(): ApiError {
  return new ApiError('key_reused', 'The key was used for another body; the first delivery stands.')
}

function sourcePaused(): ApiError {
  return new ApiError(
    'source_paused',
    'The source is paused: nothing was kept. Send it again once it is resumed.',
  )
}

/** Octets and webhooks, which are the same only where their bytes are (`DeliveryContent.canonicalSha256`). */
function cameAsBytes({
  canonicalSha256,
  receivedSha256,
}: Pick<ReadDelivery, 'canonicalSha256' | 'receivedSha256'>): boolean {
  return canonicalSha256 !== null && Buffer.compare(canonicalSha256, receivedSha256) === 0
}

/**
 * Stores a delivery under its key and gives the receipt; what was stored before under the same key is answered with
 * its own receipt [push.replay]. Throws 409 `key_reused` or `source_paused`.
 */
export function createAccept(options: AcceptOptions): Accept {
  const { pool, clock, store, largeBodies } = options

  const payloadHash = async (
    delivery: Pick<DeliveryContent, 'content' | 'contentEncoding' | 'canonicalSha256'>,
    contentBytes: number,
  ): Promise<Uint8Array> =>
    contentBytes > inlineBytesMax && delivery.canonicalSha256 === null
      ? largeBodies.payloadSha256(delivery)
      : payloadSha256(delivery)

  /** [push.same-body]: the same bytes, or the same shape version and the same JSON value. */
  const isSame = async (sent: NewDelivery, stored: StoredDelivery): Promise<boolean> => {
    if (Buffer.compare(sent.receivedSha256, stored.receivedSha256) === 0) return true
    if (cameAsBytes(sent) || cameAsBytes(stored) || sent.shapeVersion !== stored.shapeVersion) return false
    const { canonicalSha256, contentBytes } = stored
    const content =
      canonicalSha256 === null
        ? await readContent(pool, sent.target.companyId, stored.artifactId)
        : { content: new Uint8Array(), contentEncoding: 'identity' as const }
    const [before, now] = await Promise.all([
      payloadHash({ ...content, canonicalSha256 }, contentBytes),
      payloadHash(sent, sent.contentBytes),
    ])
    return Buffer.compare(before, now) === 0
  }

  return async (read, target) => {
    const delivery: NewDelivery = { ...read, target, artifactId: uuidv7(clock.now()) }
    const answer = await store(delivery)
    if (answer.outcome === 'stored') {
      return { receipt: writeReceipt({ ...delivery, ...target }), replayed: false }
    }
    if (answer.outcome === 'reused') throw keyReused()
    if (answer.outcome === 'paused') throw sourcePaused()
    if (answer.outcome === 'unsettled') throw new OverloadedError('the source was resumed meanwhile')
    if (!(await isSame(delivery, answer.stored))) throw keyReused()
    return { receipt: writeReceipt({ ...answer.stored, sandbox: target.sandbox }), replayed: true }
  }
}
