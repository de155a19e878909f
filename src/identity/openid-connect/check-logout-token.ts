import { jwtVerify } from 'jose'
import type { LogoutNames } from '../../sessions/logout-names.ts'
import { orderLifetimeMs } from '../order.ts'
import { NotVerified } from './failure.ts'
import { providerClockSecondsMax, type FoundProvider } from './find-provider.ts'
import { issuedAtOf } from './issued-at.ts'
import { signatureAlgorithms } from './signature-algorithms.ts'

/** How old a logout token may be. */
export const logoutTokenSecondsMax = 600

/**
 * How long a logout token that was used is remembered, in milliseconds: as long as it could be used again, and as long as a
 * sign-in that it ends may still get a session.
 */
export const logoutTokenKeptMs =
  Math.max(logoutTokenSecondsMax * 1_000, orderLifetimeMs) + 2 * providerClockSecondsMax * 1_000

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** As the specification names it, as any token of older providers, or not at all; never that of another kind. */
const types = new Set([undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'])

export interface CheckedLogout {
  names: LogoutNames
  jti: string
  /** By the provider's clock. */
  issuedAt: Date
}

function readText(claim: unknown, name: string): string | undefined {
  if (claim === undefined) return undefined
  if (typeof claim !== 'string' || claim === '') throw new NotVerified(name)
  return claim
}

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6), all but whether it was used before.
 *
 * @throws NotVerified, and errors of jose
 */
export async function checkLogoutToken(
  { metadata, keys }: FoundProvider,
  clientId: string,
  token: string,
  at: Date,
): Promise<CheckedLogout> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: metadata.issuer,
    audience: clientId,
    algorithms: signatureAlgorithms,
    currentDate: at,
    clockTolerance: providerClockSecondsMax,
    maxTokenAge: logoutTokenSecondsMax,
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
  })
  if (!types.has(protectedHeader.typ?.toLowerCase())) throw new NotVerified('typ')
  const { events } = payload
  const event =
    typeof events === 'object' && events !== null
      ? (events as Record<string, unknown>)[logoutEvent]
      : undefined
  if (typeof event !== 'object' || event === null) throw new NotVerified('events')
  // An ID token has one where it was requested: it cannot pass for a logout token.
  if ('nonce' in payload) throw new NotVerified('nonce')
  const sid = readText(payload['sid'], 'sid')
  const sub = readText(payload.sub, 'sub')
  if (sid === undefined && sub === undefined) throw new NotVerified('sub')
  return {
    names: { issuer: metadata.issuer, sid, sub },
    jti: readText(payload.jti, 'jti')!,
    issuedAt: issuedAtOf(payload),
  }
}
