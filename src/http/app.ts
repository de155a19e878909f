import Fastify, { type FastifyError } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { registerAdmission } from '../access/register-admission.ts'
import { recordAppCalls } from '../app-connections/record-app-calls.ts'
import { registerAppConnectionRoutes } from '../app-connections/routes.ts'
import { registerCompanyRoutes } from '../companies/routes.ts'
import type { Config } from '../config/config.ts'
import { registerConnectionRoutes } from '../connections/routes.ts'
import type { Context } from '../context.ts'
import { registerDeliveryRoutes } from '../deliveries/routes.ts'
import { registerDemoIdentityRoutes } from '../identity/demo-routes.ts'
import { registerIdentityRoutes } from '../identity/routes.ts'
import { registerConsentRoutes } from '../oauth/authorization/consent-routes.ts'
import { registerAuthorizationRoutes } from '../oauth/authorization/routes.ts'
import { registerMetadataRoutes } from '../oauth/metadata/routes.ts'
import { registerRegistrationRoutes } from '../oauth/registration/routes.ts'
import { registerTokenRoutes } from '../oauth/token/routes.ts'
import { registerReportRoutes } from '../reports/routes.ts'
import { createReads } from '../samples/reads.ts'
import { registerSampleRoutes } from '../samples/routes.ts'
import { registerSourceRoutes } from '../sources/routes.ts'
import { registerUsageRoutes } from '../usage/routes.ts'
import { answerBrokenConnection } from './answer-broken-connection.ts'
import { createErrorHandler } from './answer-error.ts'
import type { App } from './contract.ts'
import { corsHeaders, isOpenToAnyOrigin } from './cors.ts'
import { createNoteAnswer } from './note-answer.ts'
import { createOpenRequest, refuseUrlCredential } from './open-request.ts'
import { requestIdOf } from './request-id.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'
import { standingHeadersOf } from './standing-headers.ts'
import { registerDocumentRoutes } from './document-routes.ts'
import { registerHealthRoutes } from './health-routes.ts'
import { registerPageRoutes } from './pages-routes.ts'
import { noPages, type Pages } from './pages.ts'
import { registerTestClockRoutes } from './test-clock-routes.ts'

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

/** How long parts of a request may take to arrive, and how large they may be. */
const limits = {
  headersMs: 20_000,
  /** The whole request: 8 MiB at 70 kB/s. */
  requestMs: 120_000,
  /** Longer than the idle time of the proxies in front, so that they end connections and not we. */
  idleMs: 75_000,
  checkEveryMs: 1_000,
  headerBytesMax: 16_384,
  /** Of JSON bodies that are checked against a contract; deliveries have their own. */
  bodyBytesMax: 1_048_576,
}

/**
 * Fastify refuses to count proxies, since a client that reaches us directly can make them up. Where the operator
 * gives a number, none can.
 */
const trustedProxies = (
  trusted: Config['http']['trustProxy'],
): string[] | false | ((address: string, hop: number) => boolean) => {
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted
  return trusted === false ? false : [...trusted]
}

/**
 * The whole pipeline of a request: the connection and its limits; `open-request` (answer headers, credential in the
 * URL, unknown addresses); the route with the hooks of its area (admission, sessions); `answer-error` for whatever
 * was thrown; `note-answer` (log, figures); `record-app-calls`. Does not listen yet.
 */
export const buildApp = async (context: Context, options: { pages?: Pages } = {}): Promise<App> => {
  const standingHeaders = standingHeadersOf(context.config.baseUrl)
  const answerError = createErrorHandler(context)
  const routes = createRouteTable()

  const app: App = Fastify({
    // Requests are logged by note-answer, in one line; a logger for each request costs more than the rest together.
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: trustedProxies(context.config.http.trustProxy),
    exposeHeadRoutes: true,
    // Answers to requests that were on their way when the shutdown began are real ones.
    return503OnClosing: false,
    bodyLimit: limits.bodyBytesMax,
    keepAliveTimeout: limits.idleMs,
    requestTimeout: limits.requestMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headerBytesMax,
      // Refused by open-request, with a body; Node would answer without.
      requireHostHeader: false,
    },
    clientErrorHandler: answerBrokenConnection,
    // What the router cannot even read, such as `%zz`: no hook has run.
    frameworkErrors: (error: FastifyError, request, reply) => {
      reply.headers(standingHeaders).header('x-request-id', request.id)
      try {
        refuseUrlCredential(request.raw.url ?? '/')
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
  app.decorate('reads', createReads(context))
  app.decorateRequest('errorCode')
  app.removeContentTypeParser('text/plain')
  // Answers are made by their use cases; a serialiser would check them at the cost of every request.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(answerError)
  app.addHook('onRoute', (options) => {
    const contract = options.config?.contract
    for (const method of [options.method].flat()) routes.add({ method, pattern: options.url, contract })
    const open = isOpenToAnyOrigin([options.method].flat()[0]!, contract)
    options.config = {
      ...options.config,
      answerHeaders: open ? { ...standingHeaders, ...corsHeaders } : standingHeaders,
    }
  })
  app.addHook('onRequest', createOpenRequest(routes, standingHeaders))
  app.addHook('onResponse', createNoteAnswer(context))
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
