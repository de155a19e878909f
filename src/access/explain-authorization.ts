/**
 * What an `Authorization` header has in place of a credential that could open `/v1`, by its form alone: nothing is looked
 * up, so that the answer does not tell what exists.
 */

const exchange = 'exchange it at /oauth/token, and send the token that it gives'

/** By how a bearer begins. Static credentials (`nsk_`) and access tokens (`nat_`) are not among them. */
const otherSecrets: [form: RegExp, sentence: string][] = [
  [/^ncs_/, `This is a client secret: ${exchange}.`],
  [/^nrt_/, `This is a refresh token: ${exchange}.`],
  [/^nac_/, `This is an authorization code: ${exchange}.`],
  [/^nws_/, 'This is the signing secret of a webhook source: sign deliveries with it, and never send it.'],
  [/^nk_/, 'Keys that begin with nk_ open nothing any more: create a service connection.'],
  [
    /^app_|^[\da-f]{8}-[\da-f]{4}-/i,
    'This is an id, and no credential: a client id is exchanged with its secret at /oauth/token.',
  ],
]

const rightForm = 'send Authorization: Bearer, a space and the credential'

const otherHeaders: [form: RegExp, sentence: string][] = [
  [/^bearer *$/i, 'Nothing follows Bearer: the variable that should hold the credential is probably empty.'],
  [/^bearer +bearer\b/i, `The word Bearer stands there twice: ${rightForm}.`],
  [/^bearer +["'“”‘’]/i, 'The credential stands in quotation marks: send it without.'],
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

/** Undefined where the header may hold a credential. */
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
