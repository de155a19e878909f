import type { JWTPayload } from 'jose'

/**
 * When the provider made a token, by its own clock: `iat`, which was checked (RFC 7519, 4.1.6). In whole seconds, since some
 * providers say it more exactly in one kind of token than in another.
 */
export function issuedAtOf({ iat }: Pick<JWTPayload, 'iat'>): Date {
  return new Date(Math.floor(iat!) * 1_000)
}
