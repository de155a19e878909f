import type { Context } from '../../context.ts'
import { authorizationCodeGrant } from './authorization-code-grant.ts'
import { clientCredentialsGrant } from './client-credentials-grant.ts'
import { OauthError } from '../oauth-error.ts'
import { refreshTokenGrant } from './refresh-token-grant.ts'
import type { TokenAnswer, TokenRequest } from './token-request.ts'

export type Grant = (
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  request: TokenRequest,
) => Promise<TokenAnswer>

/** Every `grant_type` that the token endpoint takes. */
const grants: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', authorizationCodeGrant],
  ['refresh_token', refreshTokenGrant],
  ['client_credentials', clientCredentialsGrant],
])

/**
 * @throws `invalid_request` where none is named, `unsupported_grant_type` where it is another one
 */
export const chooseGrant = ({ form }: Pick<TokenRequest, 'form'>): Grant => {
  const name = form.get('grant_type')
  if (name === undefined) throw new OauthError('invalid_request', 'The parameter grant_type is missing.')
  const grant = grants.get(name)
  if (grant === undefined) {
    throw new OauthError('unsupported_grant_type', `Use ${[...grants.keys()].join(' or ')}.`)
  }
  return grant
}
