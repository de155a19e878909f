import type { IncomingHttpHeaders } from 'node:http'
import { DeliveryError } from './delivery-error.ts'

const pattern = /^[1-9]\d{0,8}$/

/**
 * The shape version of a body that does not name one itself: what `X-Service-Shape-Version` says, or the source's
 * current one ([push.document], [push.version]; specification "deliver one webhook"). Throws a `DeliveryError`.
 */
export function readShapeVersionHeader(headers: IncomingHttpHeaders, currentVersion: number): number {
  const value = headers['x-service-shape-version']
  if (value === undefined) return currentVersion
  const version = typeof value === 'string' && pattern.test(value) ? Number(value) : 0
  if (version >= 1 && version <= currentVersion) return version
  throw shapeVersionFault('X-Service-Shape-Version', currentVersion)
}

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
