import type { TokenPair } from './new-token-pair.ts'
import type { IssuedPair } from './app-queries.ts'
import type { TokenAnswer } from './token-request.ts'

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
