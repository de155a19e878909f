import type { IncomingMessage } from 'node:http'
import type { Admission } from '../../access/admission.ts'
import type { BodyRoom } from '../../http/body/body-room.ts'
import { readBody, takeArrivedBody, type ReadBodyOptions } from '../../http/body/read-body.ts'
import { ApiError } from '../../http/errors.ts'
import type { Accept, Accepted } from '../store/accept.ts'
import type { AnswerRefused } from '../store/answer-refused.ts'
import { checkMedia, type PushedMedia } from './pushed-media.ts'
import { bodyBytesMax, type ReadDelivery } from '../intake/delivery.ts'
import { readKeyHeader } from './key-header.ts'
import type { ReadBody } from '../intake/read-delivery.ts'
import type { DeliveryTarget } from '../store/queries.ts'
import type { ReadDocumentBody } from '../intake/read-document-body.ts'

export interface IngestOptions {
  bodyRoom: BodyRoom
  readDelivery: ReadBody
  readDocument: ReadDocumentBody
  accept: Accept
  answerRefused: AnswerRefused
}

const size: ReadBodyOptions = {
  bytesMax: bodyBytesMax,
  /** Specification, `POST /v1/ingest`. */
  tooLarge: () =>
    new ApiError('invalid_argument', `The body is larger than ${bodyBytesMax} bytes.`, {
      status: 413,
      field: 'body',
    }),
}

function checkTakesPushes(source: NonNullable<Admission['source']>): void {
  if (source.deliveryWay === 'webhook') {
    throw new ApiError('webhook_only', 'The source takes signed webhooks only.')
  }
}

/** Reads the body as what it is: JSON says its key and version itself, for octets headers say them. */
function readPushed(
  { readDelivery, readDocument }: IngestOptions,
  media: PushedMedia,
  body: Buffer,
  message: IncomingMessage,
  { company, source }: Admission,
): ReadDelivery | Promise<ReadDelivery> {
  const { companyId } = company!
  const { sourceId, shapeVersion, documentFormat: format } = source!
  if (media === 'json') return readDelivery(body, { companyId, sourceId, shapeVersion })
  const idempotencyKey = readKeyHeader(message)
  return readDocument(body, message.headers, { companyId, sourceId, shapeVersion, idempotencyKey, format })
}

/**
 * One push, from `webhook_only` on in the order of [push.order]; everything before is admission's.
 * Throws an `ApiError`.
 */
export async function ingest(
  options: IngestOptions,
  message: IncomingMessage,
  admission: Admission,
): Promise<Accepted> {
  const { bodyRoom, accept, answerRefused } = options
  const { connectionId, sandbox, company } = admission
  const source = admission.source!
  const { companyId } = company!
  checkTakesPushes(source)
  const held = bodyRoom.openForCompany(companyId)
  try {
    let media: PushedMedia
    try {
      media = checkMedia(message.headers)
    } catch (error) {
      // A body that is too large is told so first, whatever it is.
      await readBody(message, held, { ...size, keep: false })
      throw error
    }
    const body = takeArrivedBody(message, held) ?? (await readBody(message, held, size))
    const { sourceId, delivers } = source
    const target: DeliveryTarget = { companyId, sourceId, sandbox, connectionId, delivers }
    let delivery: ReadDelivery
    try {
      const read = readPushed(options, media, body, message, admission)
      delivery = read instanceof Promise ? await read : read
    } catch (error) {
      // Syntax and key, but for bytes that are stored under their key: those are answered before they are refused.
      return await answerRefused(error, target)
    }
    // Stored key, paused, store.
    return await accept(delivery, target)
  } finally {
    held.release()
  }
}
