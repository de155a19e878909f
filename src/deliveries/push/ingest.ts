import type { IncomingMessage } from 'node:http'
import type { Admission } from '../../access/admission.ts'
import type { BodyRoom } from '../../http/body/body-room.ts'
import { readBody, takeArrivedBody, type ReadBodyOptions } from '../../http/body/read-body.ts'
import { ApiError, invalidArgument } from '../../http/errors.ts'
import type { Accept, Accepted } from '../store/accept.ts'
import { checkMedia, type PushedMedia } from './check-media.ts'
import { bodyBytesMax, type ReadDelivery } from '../intake/delivery.ts'
import { DeliveryError } from '../intake/delivery-error.ts'
import { readKeyHeader } from './key-header.ts'
import type { ReadBody } from '../intake/read-delivery.ts'
import type { ReadDocumentBody } from '../intake/read-document-body.ts'
import { readShapeVersionHeader } from './shape-version-header.ts'

export interface IngestOptions {
  bodyRoom: BodyRoom
  readDelivery: ReadBody
  readDocument: ReadDocumentBody
  accept: Accept
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

const checkTakesPushes = (source: NonNullable<Admission['source']>): void => {
  if (source.deliveryWay === 'webhook') {
    throw new ApiError('webhook_only', 'The source takes signed webhooks only.')
  }
}

/** Reads the body as what it is: JSON says its key and version itself, for octets headers say them. */
const readPushed = (
  { readDelivery, readDocument }: IngestOptions,
  media: PushedMedia,
  body: Buffer,
  message: IncomingMessage,
  { company, source }: Admission,
): ReadDelivery | Promise<ReadDelivery> => {
  const { companyId } = company!
  const { sourceId, shapeVersion: currentVersion, documentFormat } = source!
  if (media === 'json') return readDelivery(body, { companyId, sourceId, shapeVersion: currentVersion })
  const idempotencyKey = readKeyHeader(message)
  const shapeVersion = readShapeVersionHeader(message.headers, currentVersion)
  return readDocument(body, { companyId, sourceId, idempotencyKey, shapeVersion, format: documentFormat })
}

/**
 * One push, from `webhook_only` on in the order of [push.order]; everything before is admission's.
 * Throws an `ApiError`.
 */
export const ingest = async (
  options: IngestOptions,
  message: IncomingMessage,
  admission: Admission,
): Promise<Accepted> => {
  const { bodyRoom, accept } = options
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
    const delivery = readPushed(options, media, body, message, admission)
    return await accept(delivery instanceof Promise ? await delivery : delivery, {
      companyId,
      sourceId: source.sourceId,
      sandbox,
      connectionId,
      delivers: source.delivers,
    })
  } catch (error) {
    if (error instanceof DeliveryError) throw invalidArgument(error.message, error.field)
    throw error
  } finally {
    held.release()
  }
}
