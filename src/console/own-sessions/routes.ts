import { auditEventAnswer } from '../../company/audit/audit-event-answer.ts'
import { listNotices } from '../../company/audit/list-notices.ts'
import { listCompaniesOfMember } from '../../people/companies/list-companies.ts'
import { route, type App } from '../../platform/http/contract.ts'
import type { DirectoryContext } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import { csrfToken } from '../../people/sessions/csrf-token.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { listOwnSessions } from '../../people/sessions/own-sessions.ts'
import { clearCookie, readCookie } from '../../people/sessions/session-cookie.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import {
  endOwnSessionContract,
  listOwnSessionsContract,
  showSessionContract,
  signOutContract,
  signOutEverywhereContract,
} from './contract.ts'
import { signOut, signOutEverywhere, signOutSession } from './sign-out.ts'

/** Who is signed in and where, and signing out: for the pages. */
export async function registerOwnSessionRoutes(
  app: App,
  context: DirectoryContext & WithIdentity,
): Promise<void> {
  await guardSession(app, context)
  registerShowSessionRoute(app, context)
  registerSignOutRoutes(app, context)

  app.get(
    '/console/sessions',
    route(listOwnSessionsContract),
    async ({ session: { memberId, sessionId } }) => {
      const sessions = await listOwnSessions(context, memberId)
      return {
        sessions: sessions.map((each) => ({
          session_id: each.sessionId,
          current: each.sessionId === sessionId,
          browser: each.browser,
          system: each.system,
          network: each.network,
          provider: each.provider,
          signed_in_at: each.signedInAt.toISOString(),
          last_active_at: each.lastActiveAt.toISOString(),
        })),
      }
    },
  )
}

function registerShowSessionRoute(app: App, context: DirectoryContext & WithIdentity): void {
  const { config, identity, keys } = context

  app.get('/console/session', route(showSessionContract), async (request) => {
    const { session } = request
    const token = readCookie(config, request, 'numera_session')!
    const [companies, notices] = await Promise.all([
      listCompaniesOfMember(context, session.memberId),
      listNotices(context, session.memberId),
    ])
    return {
      member_id: session.memberId,
      name: session.name,
      expires_at: session.expiresAt,
      csrf_token: csrfToken({ keys }, token),
      identity: {
        provider: identity.signIn.name,
        demo: identity.demo,
        signs: identity.signing !== undefined,
      },
      companies: companies.map((company) => ({
        company_id: company.companyId,
        orgnr: formatOrgnr(company.orgnr),
        name: company.name,
        time_zone: company.timeZone,
        fiscal_year_month: company.fiscalYearMonth,
        role: company.role,
        deletes_after: company.deletesAfter,
      })),
      notices: notices.map((notice) => ({ company_id: notice.companyId, event: auditEventAnswer(notice) })),
    }
  })
}

function registerSignOutRoutes(app: App, context: DirectoryContext & WithIdentity): void {
  const { config } = context

  app.post('/console/sign-out', route(signOutContract), async (request, reply) => {
    await signOut(context, readCookie(config, request, 'numera_session')!)
    clearCookie(config, reply, 'numera_session')
    return reply.code(204).send()
  })

  app.post('/console/sessions/sign-out', route(signOutEverywhereContract), async ({ session }, reply) => {
    await signOutEverywhere(context, session)
    clearCookie(config, reply, 'numera_session')
    return reply.code(204).send()
  })

  app.post(
    '/console/sessions/:session_id/sign-out',
    route(endOwnSessionContract),
    async ({ session, params }, reply) => {
      await signOutSession(context, session, params.session_id)
      if (params.session_id === session.sessionId) clearCookie(config, reply, 'numera_session')
      return reply.code(204).send()
    },
  )
}
