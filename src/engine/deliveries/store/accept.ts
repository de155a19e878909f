import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import { placeWaitMsMax } from '../../../people/companies/moves/find-place.ts'
import { OverloadedError } from '../../../platform/database/overloaded-error.ts'
import { ApiError, invalidArgument } from '../../../platform/http/errors/errors.ts'
import { uuidv7 } from '../../../formats/values/uuidv7.ts'
import { payloadSha256, type StoredPayload } from '../intake/canonical-sha256.ts'
import { inlineBytesMax, type ReadDelivery } from '../intake/delivery.ts'
import { DeliveryError } from '../intake/delivery-error.ts'
import type { Intake } from '../intake/read-delivery.ts'
import type {
  DeliveryIdentity,
  DeliveryTarget,
  FoundDelivery,
  NewDelivery,
  StoredDelivery,
} from './delivery.ts'
import { findPushes } from './push-queries.ts'
import { readContent } from './queries.ts'
import { writeReceipt } from './receipt.ts'
import type { Store } from './store.ts'
import { addAlias, findWebhooks } from './webhook-queries.ts'

export interface Accepted {
  /** The receipt as JSON: of this delivery, or of the one stored first under its key. */
  receipt: string
  replayed: boolean
}

export interface AcceptContext {
  pool: Pool
  shard: number
  clock: Clock
  intake: Intake
  store: Store
  /** The same for the shard in which a company accepts deliveries now, waiting for it while the company is held. */
  findPlace: (companyId: string) => Promise<AcceptContext>
}

function keyReused(): ApiError {
  return new ApiError(
    'key_reused',
    'The key was used for another body, whose delivery stands: give another body another key.',
  )
}

function sourcePaused(): ApiError {
  return new ApiError(
    'source_paused',
    'The source is paused: nothing was kept. Send it again once it is resumed.',
  )
}

/** The hash of a payload whose content has `contentBytes` bytes; a large one is hashed in a thread. */
async function payloadHash(
  { intake }: AcceptContext,
  payload: StoredPayload,
  contentBytes: number,
): Promise<Uint8Array> {
  return contentBytes > inlineBytesMax && payload.canonicalSha256 === null
    ? intake.largeBodies.payloadSha256(payload)
    : payloadSha256(payload)
}

/** [push.same-body]: the same bytes, or the same shape version and the same JSON value. */
async function isSame(
  context: AcceptContext,
  { companyId }: DeliveryTarget,
  sent: ReadDelivery,
  stored: StoredDelivery,
): Promise<boolean> {
  if (Buffer.compare(sent.receivedSha256, stored.receivedSha256) === 0) return true
  if (sent.comparedBy === 'bytes' || stored.comparedBy === 'bytes') return false
  if (sent.shapeVersion !== stored.shapeVersion) return false
  const { canonicalSha256, contentBytes } = stored
  const content =
    canonicalSha256 === null
      ? await readContent(context.pool, companyId, stored.artifactId)
      : { content: new Uint8Array(), contentEncoding: 'identity' as const }
  const [before, now] = await Promise.all([
    payloadHash(context, { ...content, canonicalSha256 }, contentBytes),
    payloadHash(context, sent, sent.contentBytes),
  ])
  return Buffer.compare(before, now) === 0
}

/**
 * Answers a delivery whose body was refused with `error`: with the first receipt if these very bytes were stored under
 * the same key, or came as a webhook under any id. Neither a changed declaration nor a pause revokes a receipt
 * [push.replay]. Throws 400 for every other `DeliveryError`, even if the key is another body's ([push.order]: syntax
 * before stored key), and any other error as it is. Valid bodies never come here, so only refused ones pay for the
 * look-up.
 */
async function answerRefused(
  context: AcceptContext,
  error: unknown,
  target: DeliveryTarget,
): Promise<Accepted> {
  if (!(error instanceof DeliveryError)) throw error
  const { sent } = error
  if (sent !== undefined) {
    const { answer: found } = await inPlace(context, target, async (at) => {
      const found = await find(at, { ...sent, target })
      return found.found === 'elsewhere' ? undefined : found
    })
    if (found.found === 'stored' && Buffer.compare(found.stored.receivedSha256, sent.receivedSha256) === 0) {
      return { receipt: writeReceipt({ ...found.stored, sandbox: target.sandbox }), replayed: true }
    }
  }
  throw invalidArgument(error.message, error.field)
}

async function find(at: AcceptContext, sent: DeliveryIdentity): Promise<FoundDelivery> {
  if (sent.target.channel === 'push') return (await findPushes(at, [sent]))[0]!
  await addAlias(at, sent)
  return (await findWebhooks(at, [sent]))[0]!
}

/**
 * Runs `act` in the shard in which the company is: first in the one that it was admitted in, and again where it has moved
 * since, which `act` says by undefined.
 *
 * @throws OverloadedError if the company is in no shard for `placeWaitMsMax`
 */
async function inPlace<Answer>(
  admitted: AcceptContext,
  { companyId }: DeliveryTarget,
  act: (at: AcceptContext) => Promise<Answer | undefined>,
): Promise<{ at: AcceptContext; answer: Answer }> {
  const untilMs = performance.now() + placeWaitMsMax
  for (let at = admitted; ; at = await at.findPlace(companyId)) {
    const answer = await act(at)
    if (answer !== undefined) return { at, answer }
    if (performance.now() > untilMs) throw new OverloadedError('the company moves to another shard')
  }
}

/**
 * Parses a delivery and stores it under its key. Returns the receipt; a delivery that was stored before is answered with the
 * first one [push.replay], even if its body would be refused now. In this order: syntax, stored key, paused, store. Throws
 * 400, or 409 `key_reused` or `source_paused`.
 */
export async function accept(
  context: AcceptContext,
  read: () => ReadDelivery | Promise<ReadDelivery>,
  target: DeliveryTarget,
): Promise<Accepted> {
  let parsed: ReadDelivery
  try {
    const result = read()
    parsed = result instanceof Promise ? await result : result
  } catch (error) {
    return answerRefused(context, error, target)
  }
  const delivery: NewDelivery = { ...parsed, target, artifactId: uuidv7(context.clock.now()) }
  const { at, answer } = await inPlace(context, target, async (place) => {
    const outcome = await place.store(delivery)
    return outcome.outcome === 'elsewhere' ? undefined : outcome
  })
  if (answer.outcome === 'stored') {
    return { receipt: writeReceipt({ ...delivery, ...target }), replayed: false }
  }
  if (answer.outcome === 'reused') throw keyReused()
  if (answer.outcome === 'paused') throw sourcePaused()
  if (answer.outcome === 'unsettled') throw new OverloadedError('the source was resumed meanwhile')
  if (!(await isSame(at, target, parsed, answer.stored))) throw keyReused()
  return { receipt: writeReceipt({ ...answer.stored, sandbox: target.sandbox }), replayed: true }
}

/** What storing a delivery would do. */
export interface Assessment {
  outcome: 'accepted' | 'replayed' | 'refused'
  /** The 409. */
  refusal: ApiError | null
  /** Null for a body that is answered with its first receipt although it cannot be parsed any more. */
  delivery: ReadDelivery | null
  /** The shard in which the company is. */
  at: AcceptContext
}

/** Says what `accept` would do with a push, and changes nothing. Throws 400 as it does. */
export async function assess(
  context: AcceptContext,
  read: () => ReadDelivery | Promise<ReadDelivery>,
  target: DeliveryTarget,
): Promise<Assessment> {
  let delivery: ReadDelivery
  try {
    delivery = await read()
  } catch (error) {
    await answerRefused(context, error, target)
    return { outcome: 'replayed', refusal: null, delivery: null, at: context }
  }
  const { at, answer } = await inPlace(context, target, async (place) => {
    const [found] = await findPushes(place, [{ ...delivery, target }])
    return found!.found === 'elsewhere' ? undefined : found!
  })
  if (answer.found === 'nothing') return { outcome: 'accepted', refusal: null, delivery, at }
  if (answer.found === 'stored' && (await isSame(at, target, delivery, answer.stored))) {
    return { outcome: 'replayed', refusal: null, delivery, at }
  }
  const refusal = answer.found === 'paused' ? sourcePaused() : keyReused()
  return { outcome: 'refused', refusal, delivery, at }
}
