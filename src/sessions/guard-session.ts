import cookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../service/context.ts'
import { countAs } from '../database/pool-shares.ts'
import type { App } from '../http/contract.ts'
import { ApiError } from '../http/errors.ts'
import { isMemberWrite, isWrite } from '../http/is-write.ts'
import { checkCsrfToken } from './check-csrf-token.ts'
import { refuseCrossSite } from './refuse-cross-site.ts'
import { readCookie } from './session-cookie.ts'
import { recordActivity, type Session } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in. Set on routes whose contract says `guard: 'session'`. */
    session: Session
    /** Whose share of the connections the call has (`MemberCalls.callerOf`). */
    caller: string | undefined
  }
}

/**
 * Whether a call shows that the person is there. A page that no one has touched for a minute says so with each call that it makes
 * by itself, and a stream of events is opened again without anyone.
 */
function isActivity({ headers, routeOptions }: FastifyRequest): boolean {
  return headers['x-page-idle'] === undefined && routeOptions.config.staysOpen !== true
}

/**
 * Guards the routes of a scope of the pages' API: no other site can write; where the contract says `session`, somebody is
 * signed in, and a write of theirs carries their session's CSRF token and uses up their rate (but for signing out, which
 * nothing may keep them from). What the call asks of the database counts against its company's share. Call it before the
 * routes are registered. What that member may do is looked up by each use case.
 */
export async function guardSession(
  scope: App,
  context: Pick<Context, 'pool' | 'clock' | 'config' | 'keys' | 'identity'>,
): Promise<void> {
  const { config } = context
  const { memberCalls } = scope
  await scope.register(cookie)
  scope.decorateRequest('session')
  scope.decorateRequest('caller')
  scope.addHook('onRequest', async (request) => {
    const { contract } = request.routeOptions.config
    const isGuarded = contract?.guard === 'session'
    const token = isGuarded ? readCookie(config, request, 'numera_session') : undefined
    const session = token === undefined ? undefined : await memberCalls.findSession(token)
    // Before anything is refused: the log says whose refused call it was.
    if (session !== undefined) request.session = session
    refuseCrossSite(request, config.baseUrl)
    if (!isGuarded) return
    if (session === undefined) throw new ApiError('unauthenticated', 'Nobody is signed in, or no longer.')
    if (isWrite(request.method)) checkCsrfToken(context, request, token!)
    if (isMemberWrite(contract, request.method)) await memberCalls.limitWrite(session.memberId, request.ip)
    if (isActivity(request)) await recordActivity(context, session)
    const { company_id: companyId } = request.params as { company_id?: unknown }
    request.caller = await memberCalls.callerOf(session.memberId, companyId)
  })
  // By a callback: what an asynchronous hook sets does not reach the handler.
  scope.addHook('preHandler', (request, _reply, done) => countAs(request.caller, done))
}
