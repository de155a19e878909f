/** The headers of a webhook delivery (specification "deliver one webhook"; [hook.signature], [hook.ids]). Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, invalidArgument } from '../../http/errors.ts'
import type { DeliveryFormat } from '../intake/delivery.ts'
import { reservedPrefix } from '../intake/idempotency-key.ts'
import { isUnencoded, readMediaType } from '../../http/media-type.ts'

export interface SentSignature {
  /** Unix seconds as written: these digits were signed. */
  t: string
  /** 32 bytes. */
  mac: Buffer
}

/** Up to 15 digits: more than any instant has, and still exact as a number. */
const signaturePattern = /^t=(\d{1,15}),v1=([\da-f]{64})$/
const deliveryIdPattern = /^[\w:-]{1,200}$/

/** How far a signature's time may be from the service's, either way (specification "Limits"). */
export const skewSecondsMax = 300

/**
 * Reads `Service-Signature`. Sent twice, it arrives joined by a comma and does not match.
 *
 * @throws 401 without the header, 400 if it is not exactly `t=<digits>,v1=<64 hexadecimal digits>`
 */
export function readSignature(headers: IncomingHttpHeaders): SentSignature {
  const header = headers['service-signature']
  if (header === undefined) {
    throw new ApiError('unauthenticated', 'Sign the delivery and send the signature in Service-Signature.', {
      headers: { 'WWW-Authenticate': 'Service-Signature' },
    })
  }
  const [, t, hex] = signaturePattern.exec(String(header)) ?? []
  if (t === undefined || hex === undefined) {
    throw invalidArgument(
      'Service-Signature is not t=<unix seconds>,v1=<64 hexadecimal digits in lower case>.',
      'Service-Signature',
    )
  }
  return { t, mac: Buffer.from(hex, 'hex') }
}

/** Reads `Service-Delivery-Id`. Throws 400. */
export function readDeliveryId(headers: IncomingHttpHeaders): string {
  const field = 'Service-Delivery-Id'
  const id = headers['service-delivery-id']
  if (id === undefined) throw invalidArgument('Service-Delivery-Id is missing.', field)
  if (typeof id !== 'string' || !deliveryIdPattern.test(id)) {
    throw invalidArgument(
      'Service-Delivery-Id is not 1 to 200 letters, digits, dashes, underscores and colons.',
      field,
    )
  }
  if (id.startsWith(reservedPrefix)) {
    throw invalidArgument(`Delivery ids that begin with ${reservedPrefix} are reserved.`, field)
  }
  return id
}

/** Throws 400 if a signature was made more than 300 whole seconds ago, or that far ahead. */
export function checkClock(signature: SentSignature, nowMs: number): void {
  if (Math.abs(Math.floor(nowMs / 1_000) - Number(signature.t)) <= skewSecondsMax) return
  throw invalidArgument(
    `The time in Service-Signature is more than ${skewSecondsMax} seconds from the service's clock.`,
    'Service-Signature',
  )
}

const formats: Record<string, DeliveryFormat> = { 'application/json': 'json', 'text/csv': 'csv' }

/** The body's declared format. Throws 415. */
export function readFormat(headers: IncomingHttpHeaders): DeliveryFormat {
  const media = readMediaType(headers['content-type'])
  const format = media === undefined ? undefined : formats[media.essence]
  if (media === undefined || format === undefined) {
    throw new ApiError('unsupported_media_type', 'Send application/json or text/csv.', {
      field: 'Content-Type',
    })
  }
  if (!media.isUtf8) {
    throw new ApiError('unsupported_media_type', 'JSON and CSV are sent in UTF-8.', { field: 'Content-Type' })
  }
  if (!isUnencoded(headers)) {
    throw new ApiError('unsupported_media_type', 'The body is sent without a Content-Encoding.', {
      field: 'Content-Encoding',
    })
  }
  return format
}
