import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import { ApiError } from '../http/errors.ts'
import { csrfToken } from './csrf-token.ts'
import { readCookie } from './session-cookie.ts'

/**
 * Lets a write pass that carries its session's CSRF token in `X-CSRF-Token` [oauth.consent]: for what a member
 * allows others, beside the check of where a write comes from. Compared in constant time.
 *
 * @throws 403 `permission_denied`
 */
export function checkCsrfToken(context: Pick<Context, 'config' | 'keys'>, request: FastifyRequest): void {
  const session = readCookie(context.config, request, 'numera_session')
  const given = request.headers['x-csrf-token']
  if (session !== undefined && typeof given === 'string') {
    const wanted = csrfToken(context.keys, session)
    if (timingSafeEqual(hashSecret(given), hashSecret(wanted))) return
  }
  throw new ApiError('permission_denied', 'The CSRF token of the session is missing or wrong.')
}
