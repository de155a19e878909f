import type { LogoutNames } from '../../sessions/provider-logout.ts'
import { orderLifetimeMs } from '../order.ts'
import { NotVerified } from './failure.ts'
import { providerClockSecondsMax, type FoundProvider } from './find-provider.ts'
import { toIssuedAt, verifyToken } from './verify-token.ts'

/** How old a logout token may be. */
const logoutTokenSecondsMax = 600

/**
 * How long a used logout token is remembered, in milliseconds: as long as it could be used again, and as long as a sign-in
 * that it ends may still get a session.
 */
export const logoutTokenKeptMs =
  Math.max(logoutTokenSecondsMax * 1_000, orderLifetimeMs) + 2 * providerClockSecondsMax * 1_000

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** As the specification names it, as any token of older providers, or absent; never that of another kind. */
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
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6), except whether it was used before.
 *
 * @throws NotVerified, and errors of jose
 */
export async function checkLogoutToken(
  provider: FoundProvider,
  clientId: string,
  token: string,
  at: Date,
): Promise<CheckedLogout> {
  const { payload, protectedHeader } = await verifyToken(provider, clientId, token, at, {
    maxTokenAge: logoutTokenSecondsMax,
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
  })
  if (!types.has(protectedHeader.typ?.toLowerCase())) throw new NotVerified('typ')
  const event = (payload['events'] as Record<string, unknown> | null)?.[logoutEvent]
  if (typeof event !== 'object' || event === null) throw new NotVerified('events')
  // An ID token has one if it was requested: it cannot pass for a logout token.
  if ('nonce' in payload) throw new NotVerified('nonce')
  const sid = readText(payload['sid'], 'sid')
  const sub = readText(payload.sub, 'sub')
  if (sid === undefined && sub === undefined) throw new NotVerified('sub')
  return {
    names: { issuer: provider.metadata.issuer, sid, sub },
    jti: readText(payload.jti, 'jti')!,
    issuedAt: toIssuedAt(payload),
  }
}
