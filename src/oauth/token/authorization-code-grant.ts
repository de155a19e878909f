import { isStorableText } from '../../formats/json/is-storable-text.ts'
import { hash } from 'node:crypto'
import type { DirectoryContext } from '../../context.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { requireAppId, requireParameter, type ClientRequest } from '../client/client-request.ts'
import { invalidTarget, OauthError } from '../oauth-error.ts'
import { toolsResource } from '../resources.ts'
import { readFailedCode, redeemCode, type CodeAttempt } from './code-queries.ts'
import { readResources, refuseUsed } from './app-grant.ts'
import { createTokenPair, toPairAnswer, type TokenAnswer } from './token-answer.ts'

type CodeContext = Pick<DirectoryContext, 'pool' | 'clock' | 'config'>

/** 43 to 128 unreserved characters (RFC 7636, 4.1). */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * The S256 challenge of a verifier (RFC 7636, 4.2). Verifiers are compared by their challenges, so that the time of a
 * comparison reveals nothing about the verifier.
 *
 * @throws `invalid_request` if it cannot be a verifier
 */
export function toCodeChallenge(codeVerifier: string): string {
  if (verifierPattern.test(codeVerifier)) return hash('sha256', codeVerifier, 'base64url')
  throw new OauthError(
    'invalid_request',
    'The parameter code_verifier must be 43 to 128 letters, digits, dots, dashes, underscores or tildes.',
  )
}

/** Why a code was not redeemed. */
async function refuseCode(context: CodeContext, attempt: CodeAttempt): Promise<OauthError> {
  const found = await readFailedCode(context.pool, attempt, new Date(context.clock.now()))
  const refusal = await refuseUsed(context, found)
  if (refusal !== undefined) return refusal
  if (!found.used && found.lacks_resource) return invalidTarget()
  return new OauthError(
    'invalid_grant',
    'The code is wrong, used or expired, or redirect_uri or code_verifier is not the one of its request.',
  )
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
  const clientId = requireAppId(request)
  const code = requireParameter(request, 'code')
  const redirectUri = requireParameter(request, 'redirect_uri')
  const attempt: CodeAttempt = {
    clientId,
    codeHash: hashSecret(code),
    redirectUri: isStorableText(redirectUri) ? redirectUri : null,
    codeChallenge: toCodeChallenge(requireParameter(request, 'code_verifier')),
    resources: readResources(context, request) ?? [],
    toolsResource: toolsResource(context.config.baseUrl),
  }
  const pair = createTokenPair(context.clock.now())
  const issued = await redeemCode(context.pool, attempt, pair)
  if (issued === undefined) throw await refuseCode(context, attempt)
  return toPairAnswer(pair, issued)
}
