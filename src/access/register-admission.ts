import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { parseOrgnr } from '../values/orgnr.ts'
import { uuidPattern } from '../values/uuid-pattern.ts'
import type { Context } from '../service/context.ts'
import { bearerChallenge } from '../http/challenge.ts'
import { createBatchObserver } from '../telemetry/observe-batch.ts'
import { readBearer } from './bearer.ts'
import { checkCaller, unauthenticated, type AccessRequirement, type Challenge } from './check-caller.ts'
import { explainAuthorization } from './explain-authorization.ts'
import { clientNetwork } from '../http/client-network.ts'
import { isFromDocs } from '../http/docs-origin.ts'
import { isWrite } from '../http/is-write.ts'
import { createParameterCheck } from '../http/query-parameters.ts'
import { createLookUp, type LookUp } from './look-up.ts'

/** Null for what is not a UUID. */
function readUuid(value: unknown): string | null {
  return typeof value === 'string' && uuidPattern.test(value) ? value.toLowerCase() : null
}

function readOrgnr(value: unknown): string | null {
  return typeof value === 'string' ? (parseOrgnr(value) ?? null) : null
}

interface AdmitOptions {
  lookUp: LookUp
  docsOrigins: readonly string[]
  /** The demo connection's published credential, where there is one. */
  demoCredential: string | undefined
  challengeFor: (request: FastifyRequest) => Challenge
  now: () => number
}

/** A route that is guarded, with what its contract says of its query. */
interface GuardedRoute {
  pattern: string
  requirement: AccessRequirement
  /** Of reads: pushes ignore parameters that they do not know. */
  checkParameters: ((query: object) => void) | undefined
}

/**
 * The `onRequest` hook of one guarded route: everything of [push.order] from authentication to the source,
 * before any byte of the body is read. The bucket's headers are set for any answer that follows.
 */
function admit(route: GuardedRoute, options: AdmitOptions): onRequestHookHandler {
  const { pattern, requirement, checkParameters } = route
  const { lookUp, docsOrigins, demoCredential, challengeFor, now } = options
  return async (request, reply) => {
    const { headers } = request.raw
    const challenge = challengeFor(request)
    const bearer = readBearer(headers.authorization)
    const token = bearer.sent ? bearer.token : undefined
    const mistake = explainAuthorization(headers.authorization, token)
    if (mistake !== undefined || token === undefined) throw unauthenticated(challenge, bearer.sent, mistake)

    const { orgnr: givenOrgnr, source_id: givenSourceId } = request.query as Record<string, unknown>
    const orgnr = readOrgnr(givenOrgnr)
    const sourceId = readUuid(givenSourceId)
    const fromDocs = isFromDocs(headers, docsOrigins)
    const caller = await lookUp({
      token,
      orgnr,
      sourceId,
      fromDocs,
      network: token === demoCredential ? clientNetwork(request.ip) : null,
    })

    const { rate, row } = caller
    if (row.kind === 'delegated') {
      request.appCaller = {
        connectionId: row.connection_id!,
        pattern,
        // A number that cannot be parsed was looked up as if none were given.
        companyId: givenOrgnr !== undefined && orgnr === null ? null : row.company_id,
        calledAtMs: now(),
      }
    }
    if (rate !== undefined) {
      reply.header('ratelimit-limit', rate.limit)
      reply.header('ratelimit-remaining', rate.remaining)
      reply.header('ratelimit-reset', rate.resetSeconds)
    }
    const query = { orgnr: givenOrgnr, sourceId: givenSourceId }
    try {
      request.admission = checkCaller({ caller, requirement, orgnr, sourceId, query, fromDocs, challenge })
    } catch (error) {
      if (row.connection_id !== null && row.kind !== 'delegated') {
        const { connection_id: connectionId, company_id: companyId, source_id } = row
        request.refusedCaller = { connectionId, companyId, sourceId: source_id }
      }
      throw error
    }
    checkParameters?.(request.query as object)
  }
}

/**
 * Guards every route registered after it whose contract names a permission; the others stay open. Call it once, on
 * the root instance, before the areas register their routes.
 */
export function registerAdmission(app: FastifyInstance, context: Context): void {
  const { config, acceptPool: pool, clock, telemetry } = context
  const options: AdmitOptions = {
    lookUp: createLookUp({
      pool,
      rates: { connection: config.rates.connection, demo: config.rates.demo },
      now: () => clock.now(),
      onBatch: createBatchObserver(telemetry, 'admit'),
    }),
    docsOrigins: [new URL(config.baseUrl).origin, ...config.docsOrigins],
    demoCredential: config.demoCredential,
    challengeFor: (request) => (details) => bearerChallenge(config.baseUrl, request.url, details),
    now: () => clock.now(),
  }
  app.decorateRequest('admission')
  app.decorateRequest('appCaller')
  app.decorateRequest('refusedCaller')
  app.addHook('onRoute', (route) => {
    const { contract, permission, source = 'none', company = 'one' } = route.config ?? {}
    if (permission === undefined) return
    const isRead = ![route.method].flat().some(isWrite)
    const guarded: GuardedRoute = {
      pattern: route.url,
      requirement: { permission, source, company },
      checkParameters: isRead && contract !== undefined ? createParameterCheck(contract) : undefined,
    }
    const check = admit(guarded, options)
    route.onRequest = [check, ...[route.onRequest ?? []].flat()]
  })
}
