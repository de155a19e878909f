import { hashSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import { requiredParameter, type ClientRequest } from '../client/client-request.ts'
import { publicClientId } from '../client/public-client-id.ts'
import { invalidClient, invalidGrant, invalidTarget, tokensStopped } from '../errors.ts'
import { readFailedCode, redeemCode, type CodeAttempt } from './code-queries.ts'
import { codeChallengeOf } from './code-challenge-of.ts'
import { newTokenPair, pairAnswer } from './token-pair.ts'
import type { OauthError } from '../oauth-error.ts'
import { readResources } from './read-resources.ts'
import { revokeTokenFamily } from './revoke-token-family.ts'
import type { TokenAnswer } from './token-answer.ts'

type CodeContext = Pick<Context, 'pool' | 'clock' | 'config'>

function invalidCode(): OauthError {
  return invalidGrant(
    'The code is wrong, used or expired, or redirect_uri or code_verifier is not the one of its request.',
  )
}

/**
 * Why a code was not redeemed. Where it is a second use, with the right verifier, one of the two users stole code and
 * verifier, so the tokens end (RFC 6749, 4.1.2).
 */
async function refuseCode(context: CodeContext, attempt: CodeAttempt): Promise<OauthError> {
  const found = await readFailedCode(context.pool, attempt, new Date(context.clock.now()))
  if (found.stopped) return tokensStopped()
  if (!found.registered) return invalidClient(false)
  if (found.used) {
    await revokeTokenFamily(context, {
      tokenFamilyId: found.token_family_id!,
      connectionId: found.connection_id!,
    })
    return invalidCode()
  }
  return found.lacks_resource ? invalidTarget() : invalidCode()
}

/**
 * An app exchanges a code for its first tokens (specification "POST {base_url}/oauth/token"; RFC 6749, 4.1.3; RFC 7636,
 * 4.5). The code is used up by the attempt in which everything matches, and by no other [oauth.code]. Without
 * `resource` the tokens are for this service alone.
 */
export async function authorizationCodeGrant(
  context: CodeContext,
  request: ClientRequest,
): Promise<TokenAnswer> {
  const attempt: CodeAttempt = {
    clientId: publicClientId(request),
    codeHash: hashSecret(requiredParameter(request, 'code')),
    redirectUri: Buffer.from(requiredParameter(request, 'redirect_uri')),
    codeChallenge: codeChallengeOf(requiredParameter(request, 'code_verifier')),
    resources: readResources(context, request) ?? [],
  }
  const pair = newTokenPair(context.clock.now())
  const issued = await redeemCode(context.pool, attempt, pair)
  if (issued === undefined) throw await refuseCode(context, attempt)
  return pairAnswer(pair, issued)
}
