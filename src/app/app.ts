import type { AppContext } from './app-context.ts'
import type { FastifyRequest } from 'fastify'
import { registerAdmission } from '../people/access/register-admission.ts'
import { recordPersonsEvent } from '../company/audit/record-audit-event.ts'
import { recordRefusedActs } from '../company/audit/record-refused-acts.ts'
import { registerAuditRoutes } from '../company/audit/routes.ts'
import { recordAppCalls } from '../console/app-connections/record-app-calls.ts'
import { registerAppConnectionRoutes } from '../console/app-connections/routes.ts'
import { registerCompanyRoutes } from '../console/companies/routes.ts'
import { recordConnectionUses } from '../company/connections/record-connection-uses.ts'
import {
  decorateAttention,
  registerAttentionReadRoute,
  registerAttentionRoutes,
} from '../company/attention/routes.ts'
import { decorateLinks } from '../company/links/open-link.ts'
import { registerFeedRoute, registerLinkRoutes } from '../company/links/routes.ts'
import { registerConnectionRoutes } from '../company/connections/routes.ts'
import { registerDeletionRoutes } from '../company/deletions/routes.ts'
import { registerExportRoutes } from '../company/exports/routes.ts'
import { registerLabelNameRoutes } from '../company/label-names/routes.ts'
import { registerNoteRoutes } from '../company/notes/routes.ts'
import { registerConsentRoutes } from '../oauth/consent/routes.ts'
import { registerDemoVisitRoutes } from '../console/demo-visits/routes.ts'
import { decorateDeliveries, registerDeliveryRoutes } from '../engine/deliveries/routes.ts'
import { decorateContentThreads } from '../console/deliveries/content/content-threads.ts'
import { registerFollowRoute } from '../console/deliveries/follow/route.ts'
import { registerDeliveryLogRoutes } from '../console/deliveries/routes.ts'
import type { App } from '../platform/http/contract.ts'
import { createApp } from '../platform/http/create-app.ts'
import { withFacts } from '../platform/web-app/document-facts.ts'
import { createErrorHandler } from '../platform/http/errors/error-handler.ts'
import { registerDocumentationRoutes } from '../platform/web-app/documentation-routes.ts'
import { registerPageRoutes, sendUnknownPage } from '../platform/web-app/web-app-routes.ts'
import { noPages, type Pages } from '../platform/web-app/web-app.ts'
import { registerDemoIdentityRoutes } from '../people/identity/demo/demo-routes.ts'
import { registerOpenIdConnectRoutes } from '../people/identity/openid-connect/routes.ts'
import { registerIdentityRoutes } from '../people/identity/routes.ts'
import { registerAuthorizationRoutes } from '../oauth/authorize/routes.ts'
import { registerMetadataRoutes } from '../oauth/metadata/routes.ts'
import { registerRegistrationRoutes } from '../oauth/register/routes.ts'
import { registerClientRoutes } from '../oauth/client-routes.ts'
import { registerPreviewRoutes } from '../console/previews/routes.ts'
import { recordRefusedCalls } from '../console/refused-calls/record-refused-calls.ts'
import { registerRefusedCallRoutes } from '../console/refused-calls/routes.ts'
import { registerEvidenceRoutes } from '../console/reports/evidence/routes.ts'
import { registerReportRoutes } from '../console/reports/routes.ts'
import { registerViewRoutes } from '../console/views/routes.ts'
import { registerSpreadsheetRoute } from '../console/reports/spreadsheet-route.ts'
import { registerMembershipRoutes } from '../console/memberships/routes.ts'
import { registerOwnSessionRoutes } from '../console/own-sessions/routes.ts'
import { registerReferenceRoutes } from '../console/reference/routes.ts'
import { createReads } from '../platform/reads/reads.ts'
import { registerSampleRoutes } from '../engine/samples/routes.ts'
import type { Session } from '../people/sessions/session.ts'
import { registerToolRoutes } from '../mcp/routes.ts'
import { registerDeclaredSourceRoute } from '../company/sources/declared-source-route.ts'
import { registerSourceRoutes } from '../company/sources/routes.ts'
import { createMemberCalls } from '../people/sessions/member-calls.ts'
import { createAnswerLog } from '../platform/telemetry/answer-log.ts'
import { createAnswerObserver } from '../platform/telemetry/observe-answer.ts'
import { registerDocumentRoutes } from './document-routes.ts'
import { createErrorBodyWriter } from './error-body.ts'
import { registerHealthRoutes } from './health-routes.ts'
import { registerTestClockRoutes } from './test-clock-routes.ts'
import { registerTestFaultRoutes } from './test-fault-routes.ts'

/** All that answers requests, in the order in which it is registered. Each has a scope of its own. */
const areas: ((app: App, context: AppContext) => Promise<void>)[] = [
  registerHealthRoutes,
  registerDocumentRoutes,
  registerPageRoutes,
  registerDocumentationRoutes,
  registerReferenceRoutes,
  registerTestClockRoutes,
  registerTestFaultRoutes,
  registerMetadataRoutes,
  registerRegistrationRoutes,
  registerAuthorizationRoutes,
  registerClientRoutes,
  registerDeliveryRoutes,
  registerSampleRoutes,
  registerDeclaredSourceRoute,
  registerFollowRoute,
  registerToolRoutes,
  registerAttentionReadRoute,
  registerFeedRoute,
  registerSpreadsheetRoute,
  registerIdentityRoutes,
  registerOwnSessionRoutes,
  registerDemoIdentityRoutes,
  registerOpenIdConnectRoutes,
  registerCompanyRoutes,
  registerMembershipRoutes,
  registerAuditRoutes,
  registerSourceRoutes,
  registerPreviewRoutes,
  registerConnectionRoutes,
  registerAttentionRoutes,
  registerLinkRoutes,
  registerExportRoutes,
  registerDeletionRoutes,
  registerConsentRoutes,
  registerAppConnectionRoutes,
  registerReportRoutes,
  registerNoteRoutes,
  registerLabelNameRoutes,
  registerViewRoutes,
  registerEvidenceRoutes,
  registerDeliveryLogRoutes,
  registerRefusedCallRoutes,
  registerDemoVisitRoutes,
]

export interface BuildAppOptions {
  pages?: Pages
  /** Instead of the configured one. */
  bodiesBytesMax?: number
  /** How long records of calls wait for others, in milliseconds, instead of a second. */
  recordEveryMs?: number
  /** Adds hooks of its own, before the routes are registered. */
  prepare?: (app: App) => void
}

function getCaller(request: FastifyRequest): { isStranger: boolean; memberId: string | undefined } {
  const memberId = (request.session as Session | undefined)?.memberId
  return { isStranger: request.admission === undefined && memberId === undefined, memberId }
}

/**
 * The whole pipeline of a request: the connection and its limits, and the first check of the request (`createApp`); the
 * route with the hooks of its area (admission, sessions); the error handler for anything that was thrown; the observer
 * of answers (log, metrics); the records of an app's call, of a refused call or act, and of a connection's last use. Does not
 * listen yet.
 */
export async function buildApp(context: AppContext, options: BuildAppOptions = {}): Promise<App> {
  const { config, log, telemetry } = context
  const { trustProxy, connectionsMax, bodiesBytesMax } = config.http
  const { demo, signIn } = context.identity
  const answers = createAnswerLog({ log })
  const writeErrorBody = createErrorBodyWriter(config.baseUrl)
  const pages = options.pages ?? noPages
  const app = createApp({
    baseUrl: config.baseUrl,
    trustProxy,
    connectionsMax,
    bodiesBytesMax: options.bodiesBytesMax ?? bodiesBytesMax,
    answerError: createErrorHandler({
      errorAnswers: telemetry.errorAnswers,
      answers,
      writeErrorBody,
      sendUnknownPage,
    }),
    writeErrorBody,
  })
  app.decorate('pages', {
    ...pages,
    index: withFacts(pages.index, { demo, ...(demo ? {} : { signIn: signIn.name }) }),
    reference: withFacts(pages.reference, { demo }),
  })
  app.addHook('onClose', () => answers[Symbol.dispose]())
  app.addHook('onResponse', createAnswerObserver({ log, telemetry, answers, getCaller }))
  app.decorate('reads', createReads(telemetry))
  app.decorate('memberCalls', createMemberCalls(context))
  app.decorate('recordSessionEvent', (on, event) =>
    recordPersonsEvent(on, { ...event, atMs: context.clock.now() }),
  )
  registerAdmission(app, context)
  decorateAttention(app)
  decorateLinks(app, context)
  decorateContentThreads(app)
  decorateDeliveries(app, context)
  recordAppCalls(app, context, options.recordEveryMs)
  recordConnectionUses(app, context)
  recordRefusedCalls(app, context, options.recordEveryMs)
  recordRefusedActs(app, context, options.recordEveryMs)
  options.prepare?.(app)
  for (const register of areas) await app.register(async (scope) => register(scope as App, context))
  return app
}
