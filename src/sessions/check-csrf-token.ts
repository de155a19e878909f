import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import { ApiError } from '../http/errors.ts'
import { csrfToken } from './csrf-token.ts'

/**
 * Lets a write pass that carries its session's CSRF token in `X-CSRF-Token` [oauth.consent], beside the check of where a
 * write comes from. Compared in constant time.
 *
 * @param sessionToken of the session that the request was found to belong to
 * @throws 403 `permission_denied`
 */
export function checkCsrfToken(
  context: Pick<Context, 'keys'>,
  request: FastifyRequest,
  sessionToken: string,
): void {
  const given = request.headers['x-csrf-token']
  const wanted = csrfToken(context.keys, sessionToken)
  if (typeof given === 'string' && timingSafeEqual(hashSecret(given), hashSecret(wanted))) return
  throw new ApiError('permission_denied', 'The CSRF token of the session is missing or wrong.')
}
