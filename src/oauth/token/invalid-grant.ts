import { OauthError } from '../oauth-error.ts'

/** 400 `invalid_grant`, the same for every reason: it tells nobody which one it was. */
export function invalidGrant(): OauthError {
  return new OauthError(
    'invalid_grant',
    'The code or refresh token is wrong, used or expired, or its connection ended.',
  )
}
