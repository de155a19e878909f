import cookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../context.ts'
import { countAs } from '../../platform/database/pool-shares.ts'
import type { App } from '../../platform/http/contract.ts'
import { ApiError } from '../../platform/http/errors/errors.ts'
import { isMemberWrite, isWrite } from '../../platform/http/requests/is-write.ts'
import { checkCsrfToken } from './csrf-token.ts'
import { refuseCrossSite } from './refuse-cross-site.ts'
import { readCookie } from './session-cookie.ts'
import { recordActivity, type Session } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes whose contract says `guard: 'session'`. */
    session: Session
    /** Whose share of the connections the call uses (`MemberCalls.findCaller`). */
    caller: string | undefined
  }
}

/** A page that has not been touched for a minute says so with its calls, and a stream of events reopens by itself. */
function isActivity({ headers, routeOptions }: FastifyRequest): boolean {
  return headers['x-page-idle'] === undefined && routeOptions.config.staysOpen !== true
}

/**
 * Guards the routes of a scope of the pages' API: no other site can write; if the contract says `session`, a member is
 * signed in, and their writes carry the session's CSRF token and use up their rate (except signing out, which must always
 * work). The call's database connections count against its company's share. Call it before the routes are registered. What
 * the member may do is checked by each use case.
 */
export async function guardSession(
  scope: App,
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config' | 'keys'>,
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
    if (session === undefined) {
      throw new ApiError('unauthenticated', 'You are not signed in, or your session has ended.')
    }
    if (isWrite(request.method)) checkCsrfToken(context, request, token!)
    if (isMemberWrite(contract, request.method)) await memberCalls.limitWrite(session.memberId, request.ip)
    if (isActivity(request)) await recordActivity(context, session)
    const { company_id: companyId } = request.params as { company_id?: unknown }
    request.caller = await memberCalls.findCaller(session.memberId, companyId)
  })
  // By a callback: what an asynchronous hook sets does not reach the handler.
  scope.addHook('preHandler', (request, _reply, done) => countAs(request.caller, done))
}
