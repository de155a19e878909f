import { hashSecret, newSecret } from '../../keys/secrets.ts'
import type { TokenAnswer } from './token-answer.ts'

/** Of an access token; one whose connection ends sooner lasts as long as that. */
export const accessTokenMs = 60 * 60_000

/** An access token and a refresh token, not stored yet. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  accessHash: Buffer
  refreshHash: Buffer
  issuedAt: Date
  /** At the latest: the connection may end sooner. */
  accessExpiresAt: Date
}

export function newTokenPair(nowMs: number): TokenPair {
  const accessToken = newSecret('nat_')
  const refreshToken = newSecret('nrt_')
  return {
    accessToken,
    refreshToken,
    accessHash: hashSecret(accessToken),
    refreshHash: hashSecret(refreshToken),
    issuedAt: new Date(nowMs),
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
export function pairAnswer(pair: TokenPair, issued: IssuedPair): TokenAnswer {
  return {
    access_token: pair.accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor((issued.access_expires_at.getTime() - pair.issuedAt.getTime()) / 1_000),
    refresh_token: pair.refreshToken,
    scope: issued.permissions.join(' '),
  }
}
