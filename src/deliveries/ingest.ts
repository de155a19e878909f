import type { IncomingMessage } from 'node:http'
import type { Admission } from '../access/admission.ts'
import { ApiError, invalidArgument } from '../http/errors.ts'
import type { Accept, Accepted } from './accept.ts'
import { checkMedia } from './check-media.ts'
import { DeliveryError } from './delivery-error.ts'
import { readBody, takeArrivedBody, type RoomFor } from './read-body.ts'
import type { ReadBody } from './read-delivery.ts'

export interface IngestOptions {
  roomFor: RoomFor
  readDelivery: ReadBody
  accept: Accept
}

const checkTakesPushes = (source: NonNullable<Admission['source']>): void => {
  if (source.deliveryWay === 'webhook') {
    throw new ApiError('webhook_only', 'The source takes signed webhooks only.')
  }
}

/**
 * One push, from `webhook_only` on in the order of reading `push.order`; everything before is admission's.
 * Throws an `ApiError`.
 */
export const ingest = async (
  options: IngestOptions,
  message: IncomingMessage,
  admission: Admission,
): Promise<Accepted> => {
  const { roomFor, readDelivery, accept } = options
  const { connectionId, sandbox, company } = admission
  const source = admission.source!
  checkTakesPushes(source)
  const held = roomFor(message.headers)

  try {
    checkMedia(message.headers)
  } catch (error) {
    // A body that is too large is told so first, whatever it is.
    await readBody(message, held, { keep: false })
    throw error
  }

  const body = takeArrivedBody(message, held) ?? (await readBody(message, held))
  const heldBytes = body.length
  try {
    const { companyId } = company
    const { sourceId, shapeVersion, delivers } = source
    const delivery = readDelivery(body, { companyId, sourceId, shapeVersion })
    return await accept(delivery instanceof Promise ? await delivery : delivery, {
      companyId,
      sourceId,
      sandbox,
      connectionId,
      delivers,
    })
  } catch (error) {
    if (error instanceof DeliveryError) throw invalidArgument(error.message, error.field)
    throw error
  } finally {
    held.release(heldBytes)
  }
}
