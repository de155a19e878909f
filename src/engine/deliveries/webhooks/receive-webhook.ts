import type { Format } from '../../formats/formats.ts'
import type { IncomingMessage } from 'node:http'
import { rateHeaders } from '../../../platform/rate-limit/rate-headers.ts'
import { rateLimited } from '../../../platform/rate-limit/rate-limited.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { RateLimitResult } from '../../../platform/rate-limit/consume.ts'
import type { RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts'
import type { Rate } from '../../../platform/config/config.ts'
import { isFromAhead, readBucket, type BucketState } from '../../../platform/rate-limit/bucket.ts'
import type { BodyBudget, ReservedBody } from '../../../platform/http/body/body-budget.ts'
import { readBody, consumeArrivedBody, type ReadBodyOptions } from '../../../platform/http/body/read-body.ts'
import { ApiError } from '../../../platform/http/errors/errors.ts'
import { requireWithinLimits } from '../../../people/access/reached-limit.ts'
import { accept, type AcceptContext, type Accepted } from '../store/accept.ts'
import { bodyBytesMax } from '../intake/delivery.ts'
import { uuidPattern } from '../../../formats/values/uuid-pattern.ts'
import type { AddressedWebhook, WebhookLookUp } from './look-up-webhook.ts'
import type { DeliveryTarget } from '../store/delivery.ts'
import { readDocumentBody } from '../intake/read-document-body.ts'
import { isSigned, startSignatureCheck } from './signature-check.ts'
import type { OpenSigningSecrets, SigningSecrets } from './signing-secrets.ts'
import { checkClock, readDeliveryId, readFormat, readSignature, type SentSignature } from './headers.ts'

export interface WebhookContext {
  /** The context for deliveries of a shard's companies. */
  acceptIn: (shard: number) => AcceptContext
  clock: Clock
  lookUp: WebhookLookUp
  openSecrets: OpenSigningSecrets
  /** Consumes from a source's bucket. */
  consumeOfSource: RateLimiter
  sourceRate: Rate
  /** Consumes from the bucket of a client network's failed attempts. */
  consumeFailure: RateLimiter
  bodyBudget: BodyBudget
}

interface WebhookCall {
  message: IncomingMessage
  /** From the path, unchecked. */
  sourceId: string
  /** The client's (`client-network.ts`). */
  network: string
  /** Called with the company of the address once the signature is known to be good. */
  onSigned: (companyId: string) => void
  /** Called with the rate headers of the answer once the source's bucket was consulted. */
  onRate: (headers: Record<string, string>) => void
}

/** Failed attempts of a client network [hook.ids]: 120, and one a second. */
export const failureRate: Rate = { perMinute: 60, burst: 120 }

/** Belongs to no source; looked up for an address that is not a UUID. */
const noUuid = '00000000-0000-0000-0000-000000000000'

const size: ReadBodyOptions = {
  bytesMax: bodyBytesMax,
  tooLarge: () =>
    new ApiError(
      'too_large',
      `The body is larger than ${bodyBytesMax} bytes: split it, and give each part a delivery id of its own.`,
      { field: 'body' },
    ),
}

function tooManyFailures(result: BucketState): ApiError {
  return rateLimited(result.retryAfterSeconds, { headers: rateHeaders(failureRate, result) })
}

/**
 * Only reads the bucket: an attempt that does not fail consumes nothing. But a bucket that lies in the future, because
 * the clock was set back, is consumed from: then it is empty, and fills from now on.
 */
async function checkFailures(
  { failures_full_at_us: fullAtUs }: AddressedWebhook,
  nowMs: number,
  consumeFailure: () => Promise<RateLimitResult>,
): Promise<void> {
  const [fullUs, nowUs] = [Number(fullAtUs ?? 0), nowMs * 1_000]
  const result = readBucket(fullUs, nowUs, failureRate)
  if (result.remaining >= 1) return
  throw tooManyFailures(isFromAhead(fullUs, nowUs, failureRate) ? await consumeFailure() : result)
}

/** Too large comes before the media type. */
async function checkFormat(message: IncomingMessage, reserved: ReservedBody): Promise<Format> {
  try {
    return readFormat(message.headers)
  } catch (error) {
    await readBody(message, reserved, { ...size, keep: false })
    throw error
  }
}

/** Reads the body and checks whether it is signed with one of the secrets. */
async function readSignedBody(
  message: IncomingMessage,
  reserved: ReservedBody,
  secrets: SigningSecrets,
  sent: SentSignature,
  deliveryId: string,
): Promise<{ body: Buffer; signed: boolean }> {
  const arrived = consumeArrivedBody(message, reserved)
  if (arrived !== undefined) {
    return { body: arrived, signed: isSigned(secrets, sent, deliveryId, arrived) }
  }
  const check = startSignatureCheck(secrets, sent, deliveryId)
  const body = await readBody(message, reserved, { ...size, onChunk: check.update })
  return { body, signed: check.passes() }
}

/** Lists what may be wrong, and not what is: the same for no such source and for a wrong signature [hook.order]. */
function opensNothing(): ApiError {
  return new ApiError(
    'not_found',
    'No webhook source accepts this address with this signature: compare the address, the secret and the exact bytes that were signed.',
  )
}

/** A wrong address and a wrong signature are the same 404 [hook.order], and 429 after too many of them. */
async function checkOpens(
  address: AddressedWebhook,
  signed: boolean,
  consumeFailure: () => Promise<RateLimitResult>,
): Promise<void> {
  if (signed && address.company_id !== null) return
  const result = await consumeFailure()
  throw result.granted ? opensNothing() : tooManyFailures(result)
}

async function checkSourceRate(
  context: WebhookContext,
  sourceId: string,
  onRate: WebhookCall['onRate'],
): Promise<void> {
  const result = await context.consumeOfSource(`source ${sourceId}`, context.sourceRate)
  onRate(rateHeaders(context.sourceRate, result))
  if (!result.granted) throw rateLimited(result.retryAfterSeconds)
}

/**
 * One webhook delivery, in the order of [hook.order] after the check for a credential in the URL. Throws an `ApiError`.
 */
export async function receiveWebhook(context: WebhookContext, call: WebhookCall): Promise<Accepted> {
  const { clock, lookUp, openSecrets, consumeFailure, bodyBudget } = context
  const { message, network, onSigned, onRate } = call
  const { headers } = message
  const sourceId = uuidPattern.test(call.sourceId) ? call.sourceId.toLowerCase() : noUuid
  const failuresSubject = `webhook-failures ${network}`

  const sent = readSignature(headers)
  const deliveryId = readDeliveryId(headers)
  checkClock(sent, clock.now())
  const address = await lookUp({ sourceId, failuresSubject })
  await checkFailures(address, clock.now(), () => consumeFailure(failuresSubject, failureRate))
  // Counts against the sender's network until the signature is verified.
  const reserved = bodyBudget.openForNetwork(network)
  try {
    const format = await checkFormat(message, reserved)
    const secrets = openSecrets(sourceId, address.current_secret, address.previous_secret)
    const { body, signed } = await readSignedBody(message, reserved, secrets, sent, deliveryId)
    await checkOpens(address, signed, () => consumeFailure(failuresSubject, failureRate))
    const companyId = address.company_id!
    onSigned(companyId)
    await checkSourceRate(context, sourceId, onRate)
    requireWithinLimits(address.over_limit)
    reserved.transferTo(companyId)
    const { delivers, shape_version: shapeVersion } = address
    const target: DeliveryTarget = {
      channel: 'webhook',
      companyId,
      sourceId,
      sandbox: false,
      connectionId: null,
      delivers,
    }
    const source = { companyId, sourceId, shapeVersion, idempotencyKey: deliveryId, format }
    const at = context.acceptIn(address.shard)
    return await accept(at, () => readDocumentBody(at.intake, body, headers, source), target)
  } finally {
    reserved.release()
  }
}
