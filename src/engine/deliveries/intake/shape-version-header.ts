import type { IncomingHttpHeaders } from 'node:http'
import { shapeVersionFault } from './shape-version-fault.ts'

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
