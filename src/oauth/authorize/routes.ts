import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../service/context.ts'
import { route, type App } from '../../http/contract.ts'
import { sendErrorPage } from '../../http/error-page.ts'
import { consentPage } from '../../http/page-addresses.ts'
import type { DocumentFacts } from '../../http/document-facts.ts'
import { sendIndex } from '../../http/web-app-routes.ts'
import { touchApp } from '../register/app.ts'
import { authorizeContract } from './contract.ts'
import { validateRequest, type RequestOutcome } from './validate-request.ts'
import { limitAuthorize } from './limit-authorize.ts'

/** As it is in the address: the page hands the same text back to the console API. */
function queryOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? ''
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}

function errorPage(status: number, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendErrorPage(request, reply, status === 429 ? 'too_many_requests' : 'unavailable')
}

/** People who are not signed in yet read who asks, too. */
function factsOf(outcome: RequestOutcome): DocumentFacts {
  if (outcome.kind !== 'ask') return {}
  const { app, redirectUri } = outcome.request
  return { app: { name: app.clientName, host: new URL(redirectUri).host } }
}

/**
 * The authorize endpoint. It asks, and never gives: a code is issued only by the calls that the page makes for the
 * signed-in member, which carry the CSRF token of their session.
 */
export async function registerAuthorizationRoutes(app: App, context: Context): Promise<void> {
  const { schema, config } = route(authorizeContract)
  app.get('/oauth/authorize', { schema, config: { ...config, errorPage } }, async (request, reply) => {
    reply.headers(await limitAuthorize(context, request.ip))
    const outcome = await validateRequest(context, queryOf(request))
    if (outcome.kind === 'own_page') return sendErrorPage(request, reply.code(400), outcome.fault)
    if (outcome.kind === 'redirect') return reply.redirect(outcome.location, 302)
    await touchApp(context, outcome.request.app.clientId)
    return sendIndex(reply, 'consent-page', { facts: factsOf(outcome) })
  })

  // What people come back to from their electronic identity. It redirects nowhere: the page leads back to the app.
  app.get(consentPage, { config: { errorPage } }, async (request, reply) => {
    reply.headers(await limitAuthorize(context, request.ip))
    const outcome = await validateRequest(context, queryOf(request))
    if (outcome.kind === 'own_page') return sendErrorPage(request, reply.code(400), outcome.fault)
    return sendIndex(reply, 'consent-page', { facts: factsOf(outcome) })
  })
}
