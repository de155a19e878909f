import { DeliveryError } from './delivery-error.ts'

/** A shape version that is none of the source's, which are 1 to the current one [push.version]. */
export function shapeVersionFault(field: string, currentVersion: number, isText = false): DeliveryError {
  const known = currentVersion === 1 ? 'has version 1 only' : `has versions 1 to ${currentVersion}`
  return new DeliveryError(
    isText
      ? `${field} is text: send a number, without quotes; the source ${known}.`
      : `${field} is not a shape version of the source, which ${known}.`,
    field,
  )
}
