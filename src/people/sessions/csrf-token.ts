import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../context.ts'
import { ApiError } from '../../platform/http/errors/errors.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'

/**
 * The CSRF token of a session: an HMAC of its token under a key of the deployment, so that nothing has to be stored. The pages
 * get it with `GET /console/session`, which no page of another origin can read.
 */
export function csrfToken({ keys }: Pick<DirectoryContext, 'keys'>, sessionToken: string): string {
  return createHmac('sha256', keys.csrfTokens).update(sessionToken).digest('base64url')
}

/**
 * Checks that a write carries the CSRF token of its session in `X-CSRF-Token` [oauth.consent], in constant time.
 *
 * @throws 403 `permission_denied`
 */
export function checkCsrfToken(
  context: Pick<DirectoryContext, 'keys'>,
  request: FastifyRequest,
  sessionToken: string,
): void {
  const given = request.headers['x-csrf-token']
  const expected = csrfToken(context, sessionToken)
  if (typeof given === 'string' && timingSafeEqual(hashSecret(given), hashSecret(expected))) return
  throw new ApiError('permission_denied', 'The CSRF token of the session is missing or wrong.')
}
