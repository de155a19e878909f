import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { DeliveryError } from '../intake/delivery-error.ts'
import { checkIdempotencyKey } from '../intake/idempotency-key.ts'

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
