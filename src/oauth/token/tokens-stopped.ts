import { OauthError } from '../oauth-error.ts'

/** Nobody knows how long the operator takes; a minute is soon enough for a program. */
export const retryAfterSeconds = 60

/** 503 `temporarily_unavailable`: the operator has stopped the issuing of tokens [oauth.switch]. */
export function tokensStopped(): OauthError {
  return new OauthError('temporarily_unavailable', 'No tokens are issued now; try again later.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}
