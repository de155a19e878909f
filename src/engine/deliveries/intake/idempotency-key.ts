import { isStorableText } from '../../../formats/json/is-storable-text.ts'
import { DeliveryError } from './delivery-error.ts'

/** In code points [push.empty-key]. */
export const keyLengthMax = 200
/** Keys and delivery ids with this prefix are reserved for the service. */
export const reservedPrefix = 'service:'

function isLonger(text: string, codePointsMax: number): boolean {
  if (text.length <= codePointsMax) return false
  if (text.length > 2 * codePointsMax) return true
  return [...text].length > codePointsMax
}

/** Checks an idempotency key; `field` is where it came from. Throws a `DeliveryError`. */
export function checkIdempotencyKey(key: string, field: string): string {
  if (key === '')
    throw new DeliveryError('The idempotency key is empty: send the id of the event or batch.', field)
  if (isLonger(key, keyLengthMax)) {
    throw new DeliveryError(
      `The idempotency key is longer than ${keyLengthMax} characters: send a shorter id.`,
      field,
    )
  }
  if (!isStorableText(key)) {
    throw new DeliveryError('The idempotency key has a NUL or half of a surrogate pair: leave it out.', field)
  }
  if (key.startsWith(reservedPrefix)) {
    throw new DeliveryError(
      `Keys that begin with ${reservedPrefix} are reserved: choose another beginning.`,
      field,
    )
  }
  return key
}
