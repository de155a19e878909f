import Fastify, { type FastifyError } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Config } from '../config/config.ts'
import { createBrokenConnectionHandler, headerBytesMax } from './answer-broken-connection.ts'
import { createBodyBudget } from './body/body-budget.ts'
import { parseBodies } from './body/parse-bodies.ts'
import type { App } from './contract.ts'
import { corsHeaders, isOpenToAnyOrigin } from './cors.ts'
import { createDraining } from './draining.ts'
import { getDefaultHeaders, permissionsPolicy } from './default-headers.ts'
import type { WriteErrorBody } from './errors/error-body.ts'
import type { ErrorHandler } from './errors/error-handler.ts'
import { limitConnections } from './limit-connections.ts'
import { checkRequestHead, createOpenRequest } from './requests/open-request.ts'
import { createRequestId } from './requests/request-id.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the app with its contract. */
    routes: RouteTable
  }
}

/** How long the head of a request may take to arrive; then it is 408. */
export const headersMsMax = 10_000
/** How long the whole of a request may take: 8 MiB at 70 kB/s. Then it is 408. */
export const requestMsMax = 120_000
/** How long a client may receive nothing of its answer; then its connection ends. */
export const untakenAnswerMsMax = 120_000
/**
 * How long a connection may be idle before it ends: longer than the proxies in front allow, so that connections are
 * ended by them.
 */
export const idleConnectionMsMax = 75_000

/**
 * How often Node checks for connections that are beyond `headersMsMax` or `requestMsMax`: they may last this much
 * longer.
 */
const connectionCheckMs = 1_000

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

export interface CreateAppOptions extends Pick<
  Config['http'],
  'trustProxy' | 'connectionsMax' | 'bodiesBytesMax'
> {
  baseUrl: string
  answerError: ErrorHandler
  writeErrorBody: WriteErrorBody
}

type Headers = Record<string, string>

/** Fastify, with the limits of a connection and of a request. */
function createServer(options: CreateAppOptions, defaultHeaders: Headers): App {
  const { trustProxy, answerError, writeErrorBody } = options
  return Fastify({
    // Answers are logged in one line each (`observe-answer.ts`); a logger for each request costs more than the rest
    // together.
    logger: false,
    genReqId: createRequestId,
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
    clientErrorHandler: createBrokenConnectionHandler(writeErrorBody),
    // What the router cannot decode, such as `%zz`: no hook has run.
    frameworkErrors: (error: FastifyError, request, reply) => {
      reply.headers(defaultHeaders).header('x-request-id', request.id)
      try {
        checkRequestHead(request)
        answerError(error, request, reply)
      } catch (refusal) {
        answerError(refusal, request, reply)
      }
    },
    // Nothing is coerced, filled in or removed: a handler gets what was sent.
    ajv: {
      customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false, strict: false },
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
}

/** Enters every route that is registered from here on, and gives it the headers of its answers. */
function collectRoutes(app: App, defaultHeaders: Headers): void {
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    const contract = route.config?.contract
    for (const method of methods) app.routes.add({ method, pattern: route.url, contract })
    const answerHeaders = {
      ...defaultHeaders,
      ...(contract?.api === 'public' ? {} : permissionsPolicy),
      ...(isOpenToAnyOrigin(methods[0]!, contract) ? corsHeaders : {}),
    }
    route.config = { ...route.config, answerHeaders }
  })
}

/** Closes connections that fall idle while the last requests are answered, one by one. */
function closeIdleConnections(app: App): void {
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(timer))
    done()
  })
}

/**
 * An app without routes: connections and their limits, the first checks of a request (`open-request.ts`), bodies, and
 * errors. What is registered on it comes after these. Does not listen yet.
 */
export function createApp(options: CreateAppOptions): App {
  const { baseUrl, answerError, connectionsMax, bodiesBytesMax, trustProxy } = options
  const defaultHeaders = getDefaultHeaders(baseUrl)
  const bodyBudget = createBodyBudget({ bytesMax: bodiesBytesMax })
  const app = createServer(options, defaultHeaders)
  const connections = limitConnections(app.server, { connectionsMax, areFromProxies: trustProxy !== false })

  app.decorate('routes', createRouteTable())
  app.decorate('bodyBudget', bodyBudget)
  app.decorate('connections', connections)
  app.decorate('draining', createDraining(app.server))
  app.decorateRequest('errorCode')
  app.decorateRequest('errorField')
  app.addHook('onClose', () => bodyBudget[Symbol.dispose]())
  parseBodies(app)
  // Answers are made by their use cases; a serialiser would check them at the cost of every request.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(answerError)
  collectRoutes(app, defaultHeaders)
  app.addHook('onRequest', createOpenRequest(app.routes, defaultHeaders))
  // An unknown expectation is left unmet; Node would refuse it without a body.
  app.server.on('checkExpectation', (message: IncomingMessage, answer: ServerResponse) =>
    app.routing(message, answer),
  )
  closeIdleConnections(app)
  return app
}
