import type { FastifyRequest } from 'fastify'
import { registerAdmission } from '../access/register-admission.ts'
import { registerAuditRoutes } from '../audit/routes.ts'
import { recordAppCalls } from '../app-connections/record-app-calls.ts'
import { registerAppConnectionRoutes } from '../app-connections/routes.ts'
import { registerCompanyRoutes } from '../companies/routes.ts'
import { recordConnectionUses } from '../connections/record-connection-uses.ts'
import { registerConnectionRoutes } from '../connections/routes.ts'
import { registerConsentRoutes } from '../consent/routes.ts'
import { registerDemoVisitRoutes } from '../demo-visits/routes.ts'
import { registerDeliveryRoutes } from '../deliveries/routes.ts'
import { registerDeliveryLogRoutes } from '../delivery-log/routes.ts'
import type { App } from '../http/contract.ts'
import { createApp } from '../http/create-app.ts'
import { withFacts } from '../http/document-facts.ts'
import { createErrorHandler } from '../http/error-handler.ts'
import { registerDocumentationRoutes } from '../http/documentation-routes.ts'
import { registerPageRoutes } from '../http/web-app-routes.ts'
import { noPages, type Pages } from '../http/web-app.ts'
import { registerDemoIdentityRoutes } from '../identity/demo/demo-routes.ts'
import { registerOpenIdConnectRoutes } from '../identity/openid-connect/openid-connect-routes.ts'
import { registerIdentityRoutes } from '../identity/routes.ts'
import { registerAuthorizationRoutes } from '../oauth/authorize/routes.ts'
import { registerMetadataRoutes } from '../oauth/metadata/routes.ts'
import { registerRegistrationRoutes } from '../oauth/register/routes.ts'
import { registerClientRoutes } from '../oauth/client-routes.ts'
import { registerPreviewRoutes } from '../previews/routes.ts'
import { recordRefusedCalls } from '../refused-calls/record-refused-calls.ts'
import { registerRefusedCallRoutes } from '../refused-calls/routes.ts'
import { registerReportRoutes } from '../reports/routes.ts'
import { registerMembershipRoutes } from '../memberships/routes.ts'
import { registerOwnSessionRoutes } from '../own-sessions/routes.ts'
import { registerReferenceRoutes } from '../reference/routes.ts'
import { createReads } from '../samples/reads.ts'
import { registerSampleRoutes } from '../samples/routes.ts'
import type { Session } from '../sessions/session.ts'
import { registerSourceRoutes } from '../sources/routes.ts'
import { createMemberCalls } from '../sessions/member-calls.ts'
import { createAnswerLog } from '../telemetry/answer-log.ts'
import { createAnswerObserver } from '../telemetry/observe-answer.ts'
import { registerUsageRoutes } from '../usage/routes.ts'
import type { Context } from './context.ts'
import { registerDocumentRoutes } from './document-routes.ts'
import { createErrorBodyOf } from './error-body.ts'
import { registerHealthRoutes } from './health-routes.ts'
import { registerTestClockRoutes } from './test-clock-routes.ts'
import { registerTestFaultRoutes } from './test-fault-routes.ts'

/** All that answers requests, in the order in which it is registered. Each has a scope of its own. */
const areas: ((app: App, context: Context) => Promise<void>)[] = [
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
  registerConsentRoutes,
  registerAppConnectionRoutes,
  registerReportRoutes,
  registerDeliveryLogRoutes,
  registerRefusedCallRoutes,
  registerUsageRoutes,
  registerDemoVisitRoutes,
]

export interface BuildAppOptions {
  pages?: Pages
  /** Instead of the configured one. */
  bodiesBytesMax?: number
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
 * of answers (log, metrics); the records of an app's call, of a refused one, and of a connection's last use. Does not
 * listen yet.
 */
export async function buildApp(context: Context, options: BuildAppOptions = {}): Promise<App> {
  const { config, log, telemetry } = context
  const { trustProxy, connectionsMax, bodiesBytesMax } = config.http
  const { demo, signIn } = context.identity
  const answers = createAnswerLog({ log })
  const errorBodyOf = createErrorBodyOf(config.baseUrl)
  const pages = options.pages ?? noPages
  const app = createApp({
    baseUrl: config.baseUrl,
    trustProxy,
    connectionsMax,
    bodiesBytesMax: options.bodiesBytesMax ?? bodiesBytesMax,
    pages: {
      ...pages,
      index: withFacts(pages.index, { demo, ...(demo ? {} : { signIn: signIn.name }) }),
      reference: withFacts(pages.reference, { demo }),
    },
    answerError: createErrorHandler({ refusals: telemetry.refusals, answers, errorBodyOf }),
    errorBodyOf,
  })
  app.addHook('onClose', () => answers[Symbol.dispose]())
  app.addHook('onResponse', createAnswerObserver({ log, telemetry, answers, getCaller }))
  app.decorate('reads', createReads({ pool: context.readPool }))
  app.decorate('memberCalls', createMemberCalls(context))
  registerAdmission(app, context)
  recordAppCalls(app, context)
  recordConnectionUses(app, context)
  recordRefusedCalls(app, context)
  options.prepare?.(app)
  for (const register of areas) await app.register(async (scope) => register(scope as App, context))
  return app
}
