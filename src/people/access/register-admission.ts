import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { DirectoryContext } from '../../context.ts'
import { parseOrgnr } from '../../formats/values/orgnr.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { isFromDocs } from '../../platform/http/docs-origin.ts'
import { bearerChallenge, toolsPath } from '../../platform/http/errors/challenge.ts'
import { clientNetwork } from '../../platform/http/requests/client-network.ts'
import { isWrite } from '../../platform/http/requests/is-write.ts'
import { createParameterCheck } from '../../platform/http/requests/query-parameters.ts'
import { createBatchObserver } from '../../platform/telemetry/observe-batch.ts'
import { explainAuthorization, readBearer } from './authorization-header.ts'
import type { Admission } from './admission.ts'
import { checkCaller, unauthenticated, type AccessRequirement, type Challenge } from './check-caller.ts'
import { createFindCaller, type Caller, type FindCaller } from './find-caller.ts'

/** Null if it is not a UUID. */
function readUuid(value: unknown): string | null {
  return typeof value === 'string' && uuidPattern.test(value) ? value.toLowerCase() : null
}

function readOrgnr(value: unknown): string | null {
  return typeof value === 'string' ? (parseOrgnr(value) ?? null) : null
}

interface AdmitOptions {
  findCaller: FindCaller
  docsOrigins: readonly string[]
  /** The demo connection's published credential, if there is one. */
  demoCredential: string | undefined
  challengeFor: (request: FastifyRequest) => Challenge
  toolsResource: string
  now: () => number
}

interface GuardedRoute {
  pattern: string
  requirement: AccessRequirement
  /** Of reads: pushes ignore unknown parameters. */
  checkParameters: ((query: object) => void) | undefined
}

/**
 * The `onRequest` hook of one guarded route: everything of [push.order] from authentication to the source,
 * before any byte of the body is read. The bucket's headers are set for any answer that follows.
 */
function admit(route: GuardedRoute, options: AdmitOptions): onRequestHookHandler {
  const { pattern, requirement, checkParameters } = route
  const { findCaller, docsOrigins, demoCredential, challengeFor, toolsResource, now } = options
  return async (request, reply) => {
    const { headers } = request.raw
    const challenge = challengeFor(request)
    const bearer = readBearer(headers.authorization)
    const token = bearer.sent ? bearer.token : undefined
    const mistake = explainAuthorization(headers.authorization, token)
    if (mistake !== undefined || token === undefined) throw unauthenticated(challenge, bearer.sent, mistake)

    const query = request.query as Record<string, unknown>
    const given = { orgnr: query['orgnr'], sourceId: query['source_id'] }
    const orgnr = readOrgnr(given.orgnr)
    const sourceId = readUuid(given.sourceId)
    const fromDocs = isFromDocs(headers, docsOrigins)
    const network = token === demoCredential ? clientNetwork(request.ip) : null
    const call = { token, orgnr, sourceId, fromDocs, network }
    const caller = await findCaller(call)
    request.callerFound = caller

    const { rate, row, source } = caller
    const { connection_id: connectionId, company_id: companyId } = row
    if (row.kind === 'delegated') {
      request.appCaller = {
        connectionId: connectionId!,
        pattern,
        // A number that cannot be parsed was looked up as if none were given.
        companyId: given.orgnr !== undefined && orgnr === null ? null : companyId,
        calledAtMs: now(),
      }
    }
    if (rate !== undefined) {
      reply.header('ratelimit-limit', rate.limit)
      reply.header('ratelimit-remaining', rate.remaining)
      reply.header('ratelimit-reset', rate.resetSeconds)
    }
    const check = { requirement, orgnr, sourceId, query: given, fromDocs, challenge, toolsResource }
    request.readmit = async () =>
      checkCaller({ ...check, caller: { ...(await findCaller(call, true)), rate } })
    try {
      request.admission = checkCaller({ ...check, caller })
    } catch (error) {
      if (connectionId !== null && row.kind !== 'delegated') {
        request.refusedCaller = { connectionId, companyId, sourceId: source?.source_id ?? null }
      }
      throw error
    }
    checkParameters?.(query)
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What was found of a guarded call's credential. */
    callerFound: Caller | undefined
  }
  interface FastifyInstance {
    /**
     * What an admitted call may do with a company and a source that only its body names: the same checks and errors as for a call
     * that names them in its query. What admission found a moment ago is not looked up again. Consumes nothing.
     *
     * @throws ApiError of the first check that fails
     */
    admitNamed: (
      request: FastifyRequest,
      requirement: AccessRequirement,
      named: { orgnr?: string | undefined; sourceId?: string | undefined },
    ) => Promise<Admission>
  }
}

function createAdmitNamed(options: AdmitOptions): FastifyInstance['admitNamed'] {
  const { findCaller, challengeFor, toolsResource } = options
  return async (request, requirement, named) => {
    const bearer = readBearer(request.raw.headers.authorization)
    const token = bearer.sent ? bearer.token : undefined
    const challenge = challengeFor(request)
    if (token === undefined) throw unauthenticated(challenge, bearer.sent)
    const [orgnr, sourceId] = [readOrgnr(named.orgnr), readUuid(named.sourceId)]
    const of = { orgnr, sourceId, fromDocs: false }
    const found = await findCaller({ token, ...of, network: null }, true, request.callerFound)
    const { rate } = request.admission
    const caller = { ...found, rate: { granted: true as const, retryAfterSeconds: 0, ...rate } }
    if (request.appCaller !== undefined) {
      request.appCaller.companyId = named.orgnr !== undefined && orgnr === null ? null : found.row.company_id
    }
    return checkCaller({
      caller,
      requirement: { ...requirement, isTools: request.routeOptions.url === toolsPath },
      ...of,
      query: { orgnr: named.orgnr, sourceId: named.sourceId },
      challenge,
      toolsResource,
    })
  }
}

/**
 * Guards every route registered after it whose contract names a permission; the others stay open. Call it once, on
 * the root instance, before the areas register their routes.
 */
export function registerAdmission(app: FastifyInstance, context: DirectoryContext): void {
  const { config, acceptPool: pool, clock, telemetry } = context
  const options: AdmitOptions = {
    findCaller: createFindCaller({
      pool,
      shards: context.shards,
      rates: { connection: config.rates.connection, demo: config.rates.demo },
      clock,
      onBatch: createBatchObserver(telemetry, 'admit'),
    }),
    docsOrigins: [new URL(config.baseUrl).origin, ...config.docsOrigins],
    demoCredential: config.demoCredential,
    challengeFor: (request) => (details) => bearerChallenge(config.baseUrl, request.url, details),
    toolsResource: `${config.baseUrl}${toolsPath}`,
    now: () => clock.now(),
  }
  app.decorate('admitNamed', createAdmitNamed(options))
  app.decorateRequest('admission')
  app.decorateRequest('readmit')
  app.decorateRequest('callerFound')
  app.decorateRequest('appCaller')
  app.decorateRequest('refusedCaller')
  app.addHook('onRoute', (route) => {
    const { contract, permission, source = 'none', company = 'one' } = route.config ?? {}
    if (permission === undefined) return
    const isRead = ![route.method].flat().some(isWrite)
    const guarded: GuardedRoute = {
      pattern: route.url,
      requirement: { permission, source, company, isTools: route.url === toolsPath },
      checkParameters: isRead && contract !== undefined ? createParameterCheck(contract) : undefined,
    }
    route.onRequest = [admit(guarded, options), ...[route.onRequest ?? []].flat()]
  })
}
