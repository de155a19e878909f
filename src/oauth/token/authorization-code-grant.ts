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

/** RFC 7636, 4.1. A verifier of another form is not refused for it: only then may it be why. */
const verifierPattern = /^[\w.~-]{43,128}$/

/** Says what may be wrong, beside what is wrong by its form alone. */
function invalidCode(codeVerifier: string): OauthError {
  return invalidGrant(
    verifierPattern.test(codeVerifier)
      ? 'The code is wrong, used or expired, or redirect_uri or code_verifier is not the one of its request.'
      : 'The parameter code_verifier must be the one of the request: 43 to 128 letters, digits, dots, dashes, underscores or tildes.',
  )
}

/**
 * Why a code was not redeemed. Where it is a second use, with the right verifier, one of the two users stole code and
 * verifier, so the tokens end (RFC 6749, 4.1.2).
 */
async function refuseCode(
  context: CodeContext,
  attempt: CodeAttempt,
  codeVerifier: string,
): Promise<OauthError> {
  const found = await readFailedCode(context.pool, attempt, new Date(context.clock.now()))
  if (found.stopped) return tokensStopped()
  if (!found.registered) return invalidClient(false)
  if (found.used) {
    await revokeTokenFamily(context, {
      tokenFamilyId: found.token_family_id!,
      connectionId: found.connection_id!,
    })
    return invalidCode(codeVerifier)
  }
  return found.lacks_resource ? invalidTarget() : invalidCode(codeVerifier)
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
  const clientId = publicClientId(request)
  const [code, redirectUri, codeVerifier] = ['code', 'redirect_uri', 'code_verifier'].map((name) =>
    requiredParameter(request, name),
  ) as [string, string, string]
  const attempt: CodeAttempt = {
    clientId,
    codeHash: hashSecret(code),
    redirectUri: Buffer.from(redirectUri),
    codeChallenge: codeChallengeOf(codeVerifier),
    resources: readResources(context, request) ?? [],
  }
  const pair = newTokenPair(context.clock.now())
  const issued = await redeemCode(context.pool, attempt, pair)
  if (issued === undefined) throw await refuseCode(context, attempt, codeVerifier)
  return pairAnswer(pair, issued)
}
