import { valueOf, type OauthParameters } from '../parameters.ts'
import { RedirectError } from '../redirect-error.ts'

/** BASE64URL(SHA256(code_verifier)): 32 bytes. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/

/**
 * The challenge of PKCE (RFC 7636, 4.3). Its method must be given, since an absent one means `plain`, which
 * anyone who reads the request could answer.
 *
 * @throws `invalid_request`
 */
export function readCodeChallenge(parameters: OauthParameters): string {
  const challenge = valueOf(parameters, 'code_challenge')
  if (challenge === undefined) {
    throw new RedirectError(
      'invalid_request',
      'The parameter code_challenge is missing: send the SHA-256 of a code_verifier, as PKCE has it.',
    )
  }
  if (valueOf(parameters, 'code_challenge_method') !== 'S256') {
    throw new RedirectError(
      'invalid_request',
      'The parameter code_challenge_method must be S256, in capitals.',
    )
  }
  if (!challengePattern.test(challenge)) {
    throw new RedirectError(
      'invalid_request',
      'The parameter code_challenge must be the SHA-256 of code_verifier as 43 base64url characters without padding.',
    )
  }
  return challenge
}
