/** The headers of a webhook delivery (specification "deliver one webhook"; [hook.signature], [hook.ids]). Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, invalidArgument } from '../../../platform/http/errors/errors.ts'
import { type Format, formatNames, formats } from '../../formats/formats.ts'
import { reservedPrefix } from '../intake/idempotency-key.ts'
import { isUnencoded, readMediaType } from '../../../platform/http/requests/media-type.ts'

export interface SentSignature {
  /** Unix seconds as written: these digits were signed. */
  t: string
  /** 32 bytes. */
  mac: Buffer
}

/** Up to 15 digits: more than any instant has, and still exact as a number. */
const signaturePattern = /^t=(\d{1,15}),v1=([\da-f]{64})$/
const deliveryIdPattern = /^[\w:-]{1,200}$/

/** Shapes of other signatures, and of this one written in another way. The first that fits. */
const signatureMistakes: [form: RegExp, sentence: string][] = [
  [/^sha\d+=/i, 'leave the name of the hash out'],
  [/^v1=/, 't stands before v1'],
  [/^t=\d+\.\d*,/, 't is in whole seconds'],
  [/^t=\d+;|^t=\d+,? +v1=/, 'a comma without space stands between t and v1'],
  [/^t=\d+,v1=[\da-f]{64}$/i, 'write the digits in lower case'],
  [/^t=\d+,v1=[\w+/-]{43}=?$/, 'v1 looks like base64'],
  [/,v1=.*,v1=/, 'send one v1'],
  [/^[\da-f]{64}$/i, 't and its time are missing'],
]

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
    throw new ApiError(
      'unauthenticated',
      'Service-Signature is missing: a webhook is signed, and no credential opens this address.',
      {
        headers: { 'WWW-Authenticate': 'Service-Signature' },
      },
    )
  }
  const [, t, hex] = signaturePattern.exec(String(header)) ?? []
  if (t === undefined || hex === undefined) {
    const mistake = signatureMistakes.find(([form]) => form.test(String(header)))?.[1]
    throw invalidArgument(
      `Service-Signature is not t=<unix seconds>,v1=<64 hexadecimal digits in lower case>${mistake === undefined ? '' : `: ${mistake}`}.`,
      'Service-Signature',
    )
  }
  return { t, mac: Buffer.from(hex, 'hex') }
}

/** Reads `Service-Delivery-Id`. Throws 400. */
export function readDeliveryId(headers: IncomingHttpHeaders): string {
  const field = 'Service-Delivery-Id'
  const id = headers['service-delivery-id']
  if (id === undefined)
    throw invalidArgument(
      'Service-Delivery-Id is missing: send the id of the event or batch, which is signed too.',
      field,
    )
  if (typeof id !== 'string' || !deliveryIdPattern.test(id)) {
    throw invalidArgument(
      'Service-Delivery-Id is not 1 to 200 letters, digits, dashes, underscores and colons.',
      field,
    )
  }
  if (id.startsWith(reservedPrefix)) {
    throw invalidArgument(
      `Delivery ids that begin with ${reservedPrefix} are reserved: choose another beginning.`,
      field,
    )
  }
  return id
}

/** As seconds it is in the year 5138, as milliseconds in 1973. */
const millisecondsFrom = 100_000_000_000

/** Throws 400 if a signature's time is more than 300 whole seconds in the past or the future. */
export function checkClock(signature: SentSignature, nowMs: number): void {
  const aheadSeconds = Number(signature.t) - Math.floor(nowMs / 1_000)
  if (Math.abs(aheadSeconds) <= skewSecondsMax) return
  const distance = `${Math.abs(aheadSeconds)} seconds ${aheadSeconds > 0 ? 'ahead of' : 'behind'} the service's clock`
  throw invalidArgument(
    Number(signature.t) >= millisecondsFrom
      ? 'The time in Service-Signature looks like milliseconds: t is in whole seconds since 1970.'
      : `The time in Service-Signature is ${distance}, and may differ by ${skewSecondsMax}: sign each attempt with its own time.`,
    'Service-Signature',
  )
}

const formatOfMediaType = new Map(
  formatNames.flatMap((format) => {
    const { webhookMediaType } = formats[format]
    return webhookMediaType === null ? [] : [[webhookMediaType, format] as const]
  }),
)

/** The body's declared format. Throws 415. */
export function readFormat(headers: IncomingHttpHeaders): Format {
  const media = readMediaType(headers['content-type'])
  const format = media === undefined ? undefined : formatOfMediaType.get(media.essence)
  if (media === undefined || format === undefined) {
    throw new ApiError(
      'unsupported_media_type',
      `Content-Type must be ${[...formatOfMediaType.keys()].join(' or ')}.`,
      {
        field: 'Content-Type',
      },
    )
  }
  if (!media.isUtf8) {
    throw new ApiError('unsupported_media_type', 'JSON and CSV are sent in UTF-8: leave charset out.', {
      field: 'Content-Type',
    })
  }
  if (!isUnencoded(headers)) {
    throw new ApiError(
      'unsupported_media_type',
      'Content-Encoding is not accepted: send the body uncompressed.',
      {
        field: 'Content-Encoding',
      },
    )
  }
  return format
}
