import Fastify, { type FastifyError } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { registerAdmission } from '../access/register-admission.ts'
import { recordAppCalls } from '../app-connections/record-app-calls.ts'
import { registerAppConnectionRoutes } from '../app-connections/routes.ts'
import { registerCompanyRoutes } from '../companies/routes.ts'
import type { Config } from '../config/config.ts'
import { registerConnectionRoutes } from '../connections/routes.ts'
import type { Context } from './context.ts'
import { registerDeliveryRoutes } from '../deliveries/push/routes.ts'
import { registerDemoIdentityRoutes } from '../identity/demo-routes.ts'
import { registerIdentityRoutes } from '../identity/routes.ts'
import { registerConsentRoutes } from '../consent/routes.ts'
import { registerAuthorizationRoutes } from '../oauth/authorize/routes.ts'
import { registerMetadataRoutes } from '../oauth/metadata/routes.ts'
import { registerRegistrationRoutes } from '../oauth/register/routes.ts'
import { registerTokenRoutes } from '../oauth/token/routes.ts'
import { registerReportRoutes } from '../reports/routes.ts'
import { createReads } from '../samples/reads.ts'
import { registerSampleRoutes } from '../samples/routes.ts'
import { registerSourceRoutes } from '../sources/routes.ts'
import { registerUsageRoutes } from '../usage/routes.ts'
import { createAnswerLog } from '../telemetry/answer-log.ts'
import { answerBrokenConnection, headerBytesMax } from '../http/answer-broken-connection.ts'
import { createErrorHandler } from '../http/error-handler.ts'
import { createBodyRoom } from '../http/body/body-room.ts'
import { parseBodies } from '../http/body/parse-bodies.ts'
import type { App } from '../http/contract.ts'
import { corsHeaders, isOpenToAnyOrigin } from '../http/cors.ts'
import { limitConnections } from '../http/limit-connections.ts'
import { createAnswerObserver } from '../telemetry/observe-answer.ts'
import { checkRequestHead, createOpenRequest } from '../http/open-request.ts'
import { requestIdOf } from '../http/request-id.ts'
import { createRouteTable, type RouteTable } from '../http/route-table.ts'
import { defaultHeadersOf } from '../http/default-headers.ts'
import { registerDocumentRoutes } from './document-routes.ts'
import { registerHealthRoutes } from './health-routes.ts'
import { registerPageRoutes } from '../http/web-app-routes.ts'
import { noPages, type Pages } from '../http/web-app.ts'
import { registerTestClockRoutes } from './test-clock-routes.ts'
import { registerTestFaultRoutes } from './test-fault-routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the app with its contract. */
    routes: RouteTable
  }
}

/** Everything that answers, in the order in which it is registered. Each has a scope of its own. */
const areas: ((app: App, context: Context) => Promise<void>)[] = [
  registerHealthRoutes,
  registerDocumentRoutes,
  registerPageRoutes,
  registerTestClockRoutes,
  registerTestFaultRoutes,
  registerMetadataRoutes,
  registerRegistrationRoutes,
  registerAuthorizationRoutes,
  registerTokenRoutes,
  registerDeliveryRoutes,
  registerSampleRoutes,
  registerIdentityRoutes,
  registerDemoIdentityRoutes,
  registerCompanyRoutes,
  registerSourceRoutes,
  registerConnectionRoutes,
  registerConsentRoutes,
  registerAppConnectionRoutes,
  registerReportRoutes,
  registerUsageRoutes,
]

/** How long the head of a request may take to arrive; then it is 408. */
export const headersMsMax = 10_000
/** How long the whole of a request may take: 8 MiB at 70 kB/s. Then it is 408. */
export const requestMsMax = 120_000
/** How long a client may take none of its answer; then its connection ends. */
export const untakenAnswerMsMax = 120_000
/**
 * How long a connection may be idle before it ends: longer than the proxies in front allow, so that they end connections and
 * not we.
 */
export const idleConnectionMsMax = 75_000

/**
 * How often Node looks for connections that are beyond `headersMsMax` or `requestMsMax`: they may last this much
 * longer.
 */
export const connectionCheckMs = 1_000

/**
 * Fastify refuses to count proxies, since a client that reaches us directly can make them up. Where the operator
 * gives a number, none can.
 */
function trustedProxies(
  trusted: Config['http']['trustProxy'],
): string[] | false | ((address: string, hop: number) => boolean) {
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted
  return trusted === false ? false : [...trusted]
}

export interface BuildAppOptions {
  pages?: Pages
  /** Instead of the configured one. */
  bodiesBytesMax?: number
}

/**
 * The whole pipeline of a request: the connection and its limits; `open-request` (answer headers, credential in the
 * URL, unknown addresses); the route with the hooks of its area (admission, sessions); `answer-error` for whatever
 * was thrown; `note-answer` (log, figures); `record-app-calls`. Does not listen yet.
 */
export async function buildApp(context: Context, options: BuildAppOptions = {}): Promise<App> {
  const { trustProxy, connectionsMax, bodiesBytesMax } = context.config.http
  const defaultHeaders = defaultHeadersOf(context.config.baseUrl)
  const answers = createAnswerLog(context)
  const answerError = createErrorHandler(context, answers)
  const routes = createRouteTable()
  const bodyRoom = createBodyRoom({ bytesMax: options.bodiesBytesMax ?? bodiesBytesMax })

  const app: App = Fastify({
    // Requests are logged by note-answer, in one line; a logger for each request costs more than the rest together.
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: trustedProxies(trustProxy),
    exposeHeadRoutes: true,
    // Answers to requests that were on their way when the shutdown began are real ones.
    return503OnClosing: false,
    keepAliveTimeout: idleConnectionMsMax,
    connectionTimeout: untakenAnswerMsMax,
    requestTimeout: requestMsMax,
    http: {
      headersTimeout: headersMsMax,
      connectionsCheckingInterval: connectionCheckMs,
      maxHeaderSize: headerBytesMax,
      // Refused by open-request, with a body; Node would answer without.
      requireHostHeader: false,
    },
    clientErrorHandler: answerBrokenConnection,
    // What the router cannot even read, such as `%zz`: no hook has run.
    frameworkErrors: (error: FastifyError, request, reply) => {
      reply.headers(defaultHeaders).header('x-request-id', request.id)
      try {
        checkRequestHead(request)
        answerError(error, request, reply)
      } catch (refusal) {
        answerError(refusal, request, reply)
      }
    },
    // Nothing is coerced, filled in or taken away: what a handler gets is what was sent.
    ajv: {
      customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false, strict: false },
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorate('routes', routes)
  app.decorate('pages', options.pages ?? noPages)
  app.decorate('bodyRoom', bodyRoom)
  app.addHook('onClose', () => {
    bodyRoom[Symbol.dispose]()
    answers[Symbol.dispose]()
  })
  app.decorate('reads', createReads({ pool: context.readPool }))
  app.decorateRequest('errorCode')
  parseBodies(app)
  // Answers are made by their use cases; a serialiser would check them at the cost of every request.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(answerError)
  app.addHook('onRoute', (options) => {
    const contract = options.config?.contract
    for (const method of [options.method].flat()) routes.add({ method, pattern: options.url, contract })
    const open = isOpenToAnyOrigin([options.method].flat()[0]!, contract)
    options.config = {
      ...options.config,
      answerHeaders: open ? { ...defaultHeaders, ...corsHeaders } : defaultHeaders,
    }
  })
  app.addHook('onRequest', createOpenRequest(routes, defaultHeaders))
  app.addHook('onResponse', createAnswerObserver(context, answers))
  limitConnections(app.server, { connectionsMax, areFromProxies: trustProxy !== false })
  // An expectation that nobody here knows is left unmet; Node would refuse it without a body.
  app.server.on('checkExpectation', (message, answer) => app.routing(message, answer))
  // Connections that fall idle while the last requests are answered are closed one by one.
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(timer))
    done()
  })

  registerAdmission(app, context)
  recordAppCalls(app, context)
  for (const register of areas) await app.register(async (scope) => register(scope as App, context))
  return app
}
