/** Longer than any credential of this service. */
const tokenLengthMax = 256
const pattern = /^bearer +([\w.~+/-]+=*) *$/i
const scheme = /^bearer(?: |$)/i

export type Bearer =
  /** No bearer was sent: another scheme, or no header. */
  | { sent: false }
  /** Undefined: what was sent cannot be a credential. */
  | { sent: true; token: string | undefined }

/**
 * Reads an `Authorization` header. The scheme is case-insensitive (RFC 9110, 11.1), and exactly one token of RFC 6750's
 * `b64token` characters follows it. The token's prefix is not checked: what is not stored opens nothing.
 */
export function readBearer(authorization: string | undefined): Bearer {
  if (authorization === undefined) return { sent: false }
  if (authorization.length <= tokenLengthMax) {
    const token = pattern.exec(authorization)?.[1]
    if (token !== undefined) return { sent: true, token }
  }
  return scheme.test(authorization) ? { sent: true, token: undefined } : { sent: false }
}

const exchange = 'exchange it at /oauth/token, and send the token that it gives'

/** By prefix. Static credentials (`nsk_`) and access tokens (`nat_`) are not among them. */
const otherSecrets: [pattern: RegExp, sentence: string][] = [
  [/^ncs_/, `This is a client secret: ${exchange}.`],
  [/^nrt_/, `This is a refresh token: ${exchange}.`],
  [/^nac_/, `This is an authorization code: ${exchange}.`],
  [/^nws_/, 'This is the signing secret of a webhook source: sign deliveries with it, and never send it.'],
  [/^nk_/, 'Keys that begin with nk_ no longer work: create a service connection.'],
  [
    /^app_|^[\da-f]{8}-[\da-f]{4}-/i,
    'This is an id, not a credential: exchange a client id with its secret at /oauth/token.',
  ],
]

const rightForm = 'send Authorization: Bearer, a space and the credential'

const otherHeaders: [pattern: RegExp, sentence: string][] = [
  [/^bearer *$/i, 'Nothing follows Bearer: the variable that should hold the credential is probably empty.'],
  [/^bearer +bearer\b/i, `The word Bearer is there twice: ${rightForm}.`],
  [/^bearer +["'“”‘’]/i, 'The credential is in quotation marks: send it without them.'],
  [
    /^bearer +[$<{[%]/i,
    'A placeholder follows Bearer: put the credential there; a shell replaces variables inside double quotes only.',
  ],
  [/^bearer /i, 'What follows Bearer has characters that no credential has, or too many of them.'],
  [/^(?:nsk|nat)_/, `The word Bearer is missing: ${rightForm}.`],
  [
    /^basic /i,
    'HTTP Basic opens /oauth/token only: exchange the client id and secret there, and send the token as Bearer.',
  ],
]

/**
 * What a header has instead of a credential that could open `/v1`, judged only by its form: nothing is looked up, so that the
 * sentence does not reveal what exists. Undefined if it may hold a credential.
 */
export function explainAuthorization(
  header: string | undefined,
  token: string | undefined,
): string | undefined {
  if (header === undefined) {
    return 'Send a token or a static credential in the Authorization header, after the word Bearer.'
  }
  const secret = otherSecrets.find(([form]) => form.test(token ?? header))?.[1]
  if (secret !== undefined || token !== undefined) return secret
  return (
    otherHeaders.find(([form]) => form.test(header))?.[1] ??
    `The scheme of the Authorization header is not Bearer: ${rightForm}.`
  )
}
