import { OauthError } from '../oauth-error.ts'

/**
 * 401 `invalid_client`, the same for every reason that is about a wrong id or secret. It names the Basic scheme only to a
 * client that used `Authorization` [oauth.basic-auth]: a browser would ask its user for a password otherwise.
 */
export function invalidClient(
  usedAuthorization: boolean,
  description = 'The client is unknown, or its credentials are not valid.',
): OauthError {
  return new OauthError('invalid_client', description, {
    headers: usedAuthorization ? { 'WWW-Authenticate': 'Basic realm="numera", charset="UTF-8"' } : {},
  })
}
