import { OauthError } from '../oauth-error.ts'

/**
 * 401 `invalid_client`, the same for every reason. It names the Basic scheme only to a client that used
 * `Authorization` (reading `oauth.basic-auth`): a browser would ask its user for a password otherwise.
 */
export const invalidClient = (usedAuthorization: boolean): OauthError =>
  new OauthError('invalid_client', 'The client is unknown, or its credentials are not valid.', {
    headers: usedAuthorization ? { 'WWW-Authenticate': 'Basic realm="numera", charset="UTF-8"' } : {},
  })
