import type { IncomingMessage } from 'node:http'
import { toFormat } from '../../formats/formats.ts'
import type { Admission } from '../../../people/access/admission.ts'
import type { BodyBudget } from '../../../platform/http/body/body-budget.ts'
import { isVisitOrgnr } from '../../../people/companies/add-made-up-company.ts'
import { readBody, consumeArrivedBody, type ReadBodyOptions } from '../../../platform/http/body/read-body.ts'
import { ApiError } from '../../../platform/http/errors/errors.ts'
import { accept, type AcceptContext, type Accepted } from '../store/accept.ts'
import { checkMedia, type PushedMedia, readKeyHeader } from './headers.ts'
import { bodyBytesMax, type ReadDelivery } from '../intake/delivery.ts'
import { readDelivery } from '../intake/read-delivery.ts'
import { readDocumentBody } from '../intake/read-document-body.ts'
import type { DeliveryTarget } from '../store/delivery.ts'

export interface IngestContext {
  /** The context for deliveries of a shard's companies. */
  acceptIn: (shard: number) => AcceptContext
  bodyBudget: BodyBudget
  isDemo: boolean
}

/** A push of a visitor to a demo's documents. What a visit may store is counted later, and this bounds what comes before. */
export const visitBodyBytesMax = 65_536

function sizeUpTo(bytesMax: number): ReadBodyOptions {
  return {
    bytesMax,
    /** Specification, `POST /v1/ingest`. */
    tooLarge: () =>
      new ApiError(
        'invalid_argument',
        `The body is larger than ${bytesMax} bytes: split it, and give each part a key of its own.`,
        { status: 413, field: 'body' },
      ),
  }
}

const sizeOfAny = sizeUpTo(bodyBytesMax)
const sizeOfVisit = sizeUpTo(visitBodyBytesMax)

function checkTakesPushes(source: NonNullable<Admission['source']>): void {
  if (source.channel === 'webhook') {
    throw new ApiError(
      'webhook_only',
      'The source takes signed webhooks only: send them to /v1/webhooks/{source_id}.',
    )
  }
}

/** Parses the body by its media type: JSON has its key and version inside, octets have them in headers. */
function readPushed(
  { intake }: AcceptContext,
  media: PushedMedia,
  body: Buffer,
  message: IncomingMessage,
  { company, source }: Admission,
): ReadDelivery | Promise<ReadDelivery> {
  const { companyId } = company!
  const { sourceId, shapeVersion, format } = source!
  if (media === 'json') return readDelivery(intake, body, { companyId, sourceId, shapeVersion })
  const idempotencyKey = readKeyHeader(message)
  return readDocumentBody(intake, body, message.headers, {
    companyId,
    sourceId,
    shapeVersion,
    idempotencyKey,
    format: toFormat(format),
  })
}

/** Parses the pushed body, and does something with it: stores it (`accept`), or says what storing would do (`assess`). */
type UsePushed<Result> = (
  at: AcceptContext,
  read: () => ReadDelivery | Promise<ReadDelivery>,
  target: DeliveryTarget,
) => Promise<Result>

/**
 * One push, from `webhook_only` on in the order of [push.order]; what comes before belongs to admission. Throws an
 * `ApiError`.
 */
export function ingest(
  context: IngestContext,
  message: IncomingMessage,
  admission: Admission,
): Promise<Accepted> {
  return receivePush(context, message, admission, accept)
}

/** Receives the body of a push and uses it; the body counts against the budget until that is done. Throws as `ingest`. */
export async function receivePush<Result>(
  context: IngestContext,
  message: IncomingMessage,
  admission: Admission,
  use: UsePushed<Result>,
): Promise<Result> {
  const { connectionId, sandbox, company } = admission
  const source = admission.source!
  const { companyId, shard, orgnr } = company!
  const at = context.acceptIn(shard)
  const size = context.isDemo && isVisitOrgnr(orgnr) ? sizeOfVisit : sizeOfAny
  checkTakesPushes(source)
  const reserved = context.bodyBudget.openForCompany(companyId)
  try {
    let media: PushedMedia
    try {
      media = checkMedia(message.headers)
    } catch (error) {
      // Too large comes before the media type.
      await readBody(message, reserved, { ...size, keep: false })
      throw error
    }
    const body = consumeArrivedBody(message, reserved) ?? (await readBody(message, reserved, size))
    const { sourceId, delivers } = source
    const target: DeliveryTarget = { channel: 'push', companyId, sourceId, sandbox, connectionId, delivers }
    return await use(at, () => readPushed(at, media, body, message, admission), target)
  } finally {
    reserved.release()
  }
}
