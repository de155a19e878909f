import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../service/context.ts'
import { route, type App } from '../../http/contract.ts'
import { sendErrorPage } from '../../http/error-page.ts'
import { sendIndex } from '../../http/web-app-routes.ts'
import { touchApp } from '../register/app.ts'
import { authorizeContract } from './contract.ts'
import { validateRequest } from './validate-request.ts'
import { limitAuthorize } from './limit-authorize.ts'

/** As it is in the address: the page hands the same text back to the console API. */
function queryOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? ''
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}

/**
 * The authorize endpoint. It asks, and never gives: a code is issued only by the calls that the page makes for the
 * signed-in member, which carry the CSRF token of their session.
 */
export async function registerAuthorizationRoutes(app: App, context: Context): Promise<void> {
  const { schema, config } = route(authorizeContract)
  const options = {
    schema,
    config: {
      ...config,
      errorPage: (status: number, request: FastifyRequest, reply: FastifyReply) =>
        sendErrorPage(request, reply, status === 429 ? 'too_many_requests' : 'unavailable'),
    },
  }

  app.get('/oauth/authorize', options, async (request, reply) => {
    reply.headers(await limitAuthorize(context, request.ip))
    const outcome = await validateRequest(context, queryOf(request))
    if (outcome.kind === 'own_page') return sendErrorPage(request, reply.code(400), outcome.fault)
    if (outcome.kind === 'redirect') return reply.redirect(outcome.location, 302)
    const { app: asking, redirectUri } = outcome.request
    await touchApp(context, asking.clientId)
    // Whoever is not signed in yet reads who asks, too.
    const facts = { app: { name: asking.clientName, host: new URL(redirectUri).host } }
    return sendIndex(reply, 'consent-page', { facts })
  })
}
