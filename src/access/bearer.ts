/**
 * Reads an `Authorization` header. The scheme's case does not count (RFC 9110, 11.1); after it comes exactly one
 * token of RFC 6750's `b64token` characters. Which prefix the token has is not looked at: what is not stored opens
 * nothing.
 */

/** Longer than any credential that this service ever made. */
export const tokenLengthMax = 256
const pattern = /^bearer +([\w.~+/-]+=*) *$/i
const scheme = /^bearer(?: |$)/i

export type Bearer =
  /** No bearer was sent: another scheme, or no header. */
  | { sent: false }
  /** Undefined: what was sent cannot be a credential. */
  | { sent: true; token: string | undefined }

export function readBearer(authorization: string | undefined): Bearer {
  if (authorization === undefined) return { sent: false }
  if (authorization.length <= tokenLengthMax) {
    const token = pattern.exec(authorization)?.[1]
    if (token !== undefined) return { sent: true, token }
  }
  return scheme.test(authorization) ? { sent: true, token: undefined } : { sent: false }
}
