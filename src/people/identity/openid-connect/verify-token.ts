import { jwtVerify, type JWTPayload, type JWTVerifyOptions, type JWTVerifyResult } from 'jose'
import { providerClockSecondsMax, type FoundProvider } from './find-provider.ts'

/** Only by a key pair of the provider's own, never by a secret or not at all (RFC 7518, 3.1). */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** Verifies signature, issuer, audience and times of a token of the provider. @throws errors of jose */
export function verifyToken(
  { metadata, keys }: FoundProvider,
  clientId: string,
  token: string,
  at: Date,
  options: Pick<JWTVerifyOptions, 'maxTokenAge' | 'requiredClaims'>,
): Promise<JWTVerifyResult> {
  return jwtVerify(token, keys, {
    issuer: metadata.issuer,
    audience: clientId,
    algorithms,
    currentDate: at,
    clockTolerance: providerClockSecondsMax,
    ...options,
  })
}

/**
 * When the provider issued a verified token, by its own clock (RFC 7519, 4.1.6). In whole seconds, since some providers are
 * more exact in one kind of token than in another.
 */
export function toIssuedAt({ iat }: Pick<JWTPayload, 'iat'>): Date {
  return new Date(Math.floor(iat!) * 1_000)
}
