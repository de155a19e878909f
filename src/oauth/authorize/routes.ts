import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { clientNetwork } from '../../platform/http/requests/client-network.ts'
import { consume } from '../../platform/rate-limit/consume.ts'
import { rateHeaders } from '../../platform/rate-limit/rate-headers.ts'
import { sendErrorPage } from '../../platform/web-app/error-page.ts'
import { consentPage } from '../../platform/web-app/page-table.ts'
import { sendIndex } from '../../platform/web-app/web-app-routes.ts'
import { tooManyRequests } from '../oauth-error.ts'
import { touchApp } from '../register/app.ts'
import { authorizeContract } from './contract.ts'
import { validateRequest, type RequestOutcome } from './validate-request.ts'

/** The query as it is in the address: the page sends the same text to the console API. */
function getQuery({ raw }: FastifyRequest): string {
  return /\?.*/s.exec(raw.url ?? '')?.[0] ?? ''
}

function errorPage(status: number, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendErrorPage(request, reply, status === 429 ? 'too_many_requests' : 'unavailable')
}

/** The document names the app, for people who are not signed in yet. */
function sendConsentPage(reply: FastifyReply, outcome: Exclude<RequestOutcome, { kind: 'own_page' }>) {
  if (outcome.kind === 'redirect') return sendIndex(reply, consentPage, { facts: {} })
  const { app, redirectUri } = outcome.request
  const facts = { app: { name: app.clientName, host: new URL(redirectUri).host } }
  return sendIndex(reply, consentPage, { facts })
}

/**
 * The authorize endpoint, which never gives a code: that is done only by the calls that the page makes for the signed-in
 * member, which carry the CSRF token of their session.
 */
export async function registerAuthorizationRoutes(app: App, context: DirectoryContext): Promise<void> {
  const { pool, clock, config: settings } = context
  const rate = settings.rates.oauth

  /** Consumes a token of the browser's network [oauth.limits]. @throws 429 `temporarily_unavailable` */
  const limit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const bucket = await consume(pool, `authorize ${clientNetwork(request.ip)}`, rate, clock.now())
    const headers = rateHeaders(rate, bucket)
    if (!bucket.granted) {
      const message = 'There were too many requests from this network.'
      throw tooManyRequests(message, headers, bucket.retryAfterSeconds)
    }
    reply.headers(headers)
  }

  const { schema, config } = route(authorizeContract)
  app.get('/oauth/authorize', { schema, config: { ...config, errorPage } }, async (request, reply) => {
    await limit(request, reply)
    const outcome = await validateRequest(context, getQuery(request))
    if (outcome.kind === 'own_page') return sendErrorPage(request, reply.code(400), outcome.fault)
    if (outcome.kind === 'redirect') return reply.redirect(outcome.location, 302)
    await touchApp(context, outcome.request.app.clientId)
    return sendConsentPage(reply, outcome)
  })

  // People return here from their electronic identity. It never redirects: the page leads back to the app.
  app.get(consentPage, { config: { errorPage } }, async (request, reply) => {
    await limit(request, reply)
    const outcome = await validateRequest(context, getQuery(request))
    if (outcome.kind === 'own_page') return sendErrorPage(request, reply.code(400), outcome.fault)
    return sendConsentPage(reply, outcome)
  })
}
