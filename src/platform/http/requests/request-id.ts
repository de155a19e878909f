import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

// Random once a process and counted from there: unique without drawing random bytes for every call.
const processPart = randomBytes(6).toString('hex')
let count = 0

/** A safe short token, taken over so that a caller can follow its call. It must not be able to forge a log line. */
const safeToken = /^[A-Za-z0-9-]{8,64}$/

/** The id of a request: `X-Request-Id` where it is a safe short token, else a new one. */
export function createRequestId(message: IncomingMessage): string {
  const given = message.headers['x-request-id']
  if (given !== undefined && typeof given === 'string' && safeToken.test(given)) return given
  return newRequestId()
}

/** For what has no request: a connection that never sent one. */
export function newRequestId(): string {
  return `${processPart}-${(++count).toString(36)}`
}
