import { hashSecret, newSecret } from '../../platform/keys/secrets.ts'
import type { ClientRequest } from '../client/client-request.ts'

/** Of an access token, in milliseconds; one whose connection ends sooner lasts as long as that. */
export const accessTokenMs = 60 * 60_000

/** What the token endpoint answers with (RFC 6749, 5.1). */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token?: string
  scope: string
}

/** Exchanges the credentials of a request for tokens, or throws what it is refused with. */
export type Grant = (request: ClientRequest) => Promise<TokenAnswer>

/** An access token and a refresh token, not stored yet. */
export type TokenPair = ReturnType<typeof createTokenPair>

export function createTokenPair(nowMs: number) {
  const accessToken = newSecret('nat_')
  const refreshToken = newSecret('nrt_')
  return {
    accessToken,
    refreshToken,
    accessHash: hashSecret(accessToken),
    refreshHash: hashSecret(refreshToken),
    issuedAt: new Date(nowMs),
    /** At the latest: the connection may end sooner. */
    accessExpiresAt: new Date(nowMs + accessTokenMs),
  }
}

/** What was issued with a pair. */
export interface IssuedPair {
  access_expires_at: Date
  /** Of the access token. */
  permissions: string[]
}

/** The token answer of an app (specification "Token answer"). */
export function toPairAnswer(pair: TokenPair, issued: IssuedPair): TokenAnswer {
  return {
    access_token: pair.accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor((issued.access_expires_at.getTime() - pair.issuedAt.getTime()) / 1_000),
    refresh_token: pair.refreshToken,
    scope: issued.permissions.join(' '),
  }
}
