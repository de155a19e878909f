/** The headers of a push ([push.media], [push.document]). Pure. */
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { invalidArgument } from '../../../platform/http/errors/errors.ts'
import { isUnencoded, readMediaType } from '../../../platform/http/requests/media-type.ts'
import { DeliveryError } from '../intake/delivery-error.ts'
import { checkIdempotencyKey } from '../intake/idempotency-key.ts'

/** What a pushed body is: a delivery as JSON, or a document as it is. */
export type PushedMedia = 'json' | 'octets'

const anyOtherType = 'Content-Type must be application/json, or application/octet-stream for a document.'

const otherTypes: ReadonlyMap<string | undefined, string> = new Map([
  [
    'application/x-www-form-urlencoded',
    'Content-Type says that the body is a form, as curl -d does unless it is given application/json.',
  ],
  [
    'multipart/form-data',
    'A form of several parts is not accepted: send the document itself as application/octet-stream.',
  ],
  ['text/csv', 'CSV is pushed as application/octet-stream, with its key in Idempotency-Key.'],
])

function readPushedMedia(type: string | undefined): PushedMedia {
  if (type === 'application/json') return 'json'
  const media = readMediaType(type)
  if (media?.essence === 'application/octet-stream') return 'octets'
  if (media?.essence !== 'application/json') {
    throw invalidArgument(otherTypes.get(media?.essence) ?? anyOtherType, 'Content-Type')
  }
  if (!media.isUtf8) throw invalidArgument('JSON is sent in UTF-8: leave charset out.', 'Content-Type')
  return 'json'
}

/**
 * Checks the media type of a pushed body [push.media]: JSON in UTF-8, or octets; not encoded. Throws 400 with the
 * header as the field.
 */
export function checkMedia(headers: IncomingHttpHeaders): PushedMedia {
  const media = readPushedMedia(headers['content-type'])
  if (!isUnencoded(headers)) {
    throw invalidArgument('Content-Encoding is not accepted: send the body uncompressed.', 'Content-Encoding')
  }
  return media
}

const field = 'Idempotency-Key'

/** The key of a pushed document, which is UTF-8 in the header `Idempotency-Key`. Throws a `DeliveryError`. */
export function readKeyHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string {
  // Sent twice, it would arrive joined by a comma, which a key may also contain.
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === 'idempotency-key',
  )
  const [value] = values
  if (value === undefined)
    throw new DeliveryError(`${field} is missing: a document is sent with its key in this header.`, field)
  if (values.length > 1) throw new DeliveryError(`${field} is sent more than once: send it once.`, field)
  // Header texts have one character per byte.
  const bytes = Buffer.from(value, 'latin1')
  if (!isUtf8(bytes)) throw new DeliveryError(`${field} is not UTF-8: send the key in UTF-8 or ASCII.`, field)
  return checkIdempotencyKey(bytes.toString(), field)
}
