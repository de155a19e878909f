import { hashSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import { readFailedCode, redeemCode, type CodeAttempt } from './app-queries.ts'
import { codeChallengeOf } from './code-challenge-of.ts'
import { invalidClient } from './invalid-client.ts'
import { invalidGrant } from './invalid-grant.ts'
import { invalidTarget, namedServers } from './named-servers.ts'
import { newTokenPair } from './new-token-pair.ts'
import type { OauthError } from '../oauth-error.ts'
import { pairAnswer } from './pair-answer.ts'
import { publicClientId } from './public-client-id.ts'
import { requiredParameter } from './required-parameter.ts'
import { revokeTokenFamily } from './revoke-token-family.ts'
import type { TokenAnswer, TokenRequest } from './token-request.ts'
import { tokensStopped } from './tokens-stopped.ts'

type CodeContext = Pick<Context, 'pool' | 'clock' | 'config'>

/**
 * Why a code was not redeemed. One that was used before is being used a second time, by whoever has its verifier: either the
 * app lost its tokens to somebody, or it is somebody else, so the tokens end (RFC 6749, 4.1.2).
 */
const refuseCode = async (context: CodeContext, attempt: CodeAttempt): Promise<OauthError> => {
  const found = await readFailedCode(context.pool, attempt, new Date(context.clock.now()))
  if (found.stopped) return tokensStopped()
  if (!found.registered) return invalidClient(false)
  if (found.used) {
    await revokeTokenFamily(context, {
      tokenFamilyId: found.token_family_id!,
      connectionId: found.connection_id!,
    })
    return invalidGrant()
  }
  return found.lacks_resource ? invalidTarget() : invalidGrant()
}

/**
 * An app exchanges a code for its first tokens (specification "POST {base_url}/oauth/token"; RFC 6749, 4.1.3; RFC 7636, 4.5).
 * The code is used up by the attempt in which everything matches, and by no other [oauth.code]. Without
 * `resource` the tokens are for this service alone.
 */
export const authorizationCodeGrant = async (
  context: CodeContext,
  request: TokenRequest,
): Promise<TokenAnswer> => {
  const attempt: CodeAttempt = {
    clientId: publicClientId(request),
    codeHash: hashSecret(requiredParameter(request, 'code')),
    redirectUri: Buffer.from(requiredParameter(request, 'redirect_uri')),
    codeChallenge: codeChallengeOf(requiredParameter(request, 'code_verifier')),
    resources: namedServers(context, request) ?? [],
  }
  const pair = newTokenPair(context.clock.now())
  const issued = await redeemCode(context.pool, attempt, pair)
  if (issued === undefined) throw await refuseCode(context, attempt)
  return pairAnswer(pair, issued)
}
