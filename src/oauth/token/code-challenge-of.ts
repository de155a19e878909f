import { hash } from 'node:crypto'
import { invalidRequest } from '../errors.ts'

/** 43 to 128 unreserved characters (RFC 7636, 4.1). */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * The S256 challenge that a verifier belongs to (RFC 7636, 4.2). Verifiers are compared by their challenges, so that
 * the time of a comparison says nothing about the verifier.
 *
 * @throws `invalid_request` where it cannot be a verifier at all
 */
export function codeChallengeOf(codeVerifier: string): string {
  if (!verifierPattern.test(codeVerifier)) {
    throw invalidRequest(
      'The parameter code_verifier must be 43 to 128 letters, digits, dots, dashes, underscores or tildes.',
    )
  }
  return hash('sha256', codeVerifier, 'base64url')
}
