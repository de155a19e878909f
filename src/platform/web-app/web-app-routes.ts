import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/contract.ts'
import { opensPage } from '../http/requests/opens-page.ts'
import { withFacts, type DocumentFacts } from './document-facts.ts'
import { pageAt } from './page-addresses.ts'
import { getPageHeaders } from './page-headers.ts'
import { getLinks } from './page-links.ts'
import type { Pages } from './web-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    pages: Pages
  }
}

/** Of a session (`src/people/sessions/session-cookie.ts`), which may have ended: it only decides which frame is painted first. */
const sessionCookie = /(?:^|;\s*)(?:__Host-)?numera_session=/

/**
 * Answers with the web app, which shows what belongs to the address.
 *
 * @param page see {@link getLinks}
 * @param of the company of the address, and the facts of this address alone
 */
export function sendIndex(
  reply: FastifyReply,
  page?: string,
  of: { companyId?: string | undefined; facts?: DocumentFacts } = {},
): FastifyReply {
  const { pages } = reply.server
  const { companyId, facts } = of
  const hasSession = page !== 'consent-page' && sessionCookie.test(reply.request.headers.cookie ?? '')
  return reply
    .headers({ ...getPageHeaders(pages.index), link: getLinks(pages, page, companyId) })
    .type('text/html; charset=utf-8')
    .send(withFacts(pages.index, { hasSession, ...facts }))
}

/** What programs call, and what pages load: whoever asks there is no reader. */
const programsOnly = /^\/(?:v1|console|oauth|assets|\.well-known)(?:[/?]|$)/

/** Answers a person who opened an unknown address with the web app, which says so. False where it was a program. */
export function sendUnknownPage(request: FastifyRequest, reply: FastifyReply): boolean {
  const { raw, routeOptions } = request
  if (routeOptions.url !== undefined || !opensPage(request) || programsOnly.test(raw.url ?? '/')) return false
  sendIndex(reply)
  return true
}

/** The pages of the web app, and what they load. Not part of the API documents. */
export async function registerPageRoutes(app: App): Promise<void> {
  app.get('/', (_request, reply) => sendIndex(reply, 'companies-page'))
  for (const [address, page] of Object.entries(pageAt)) {
    // Whoever types an address may end it in a slash.
    for (const url of [address, `${address}/`]) {
      app.get<{ Params: { company_id?: string } }>(url, ({ params }, reply) =>
        sendIndex(reply, page, { companyId: params.company_id }),
      )
    }
  }

  const root = app.pages.assetsFolder
  if (root === undefined) return
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    // A route for each file: any other address is as unknown as elsewhere.
    wildcard: false,
    index: false,
    decorateReply: false,
    preCompressed: true,
    // Their names change with their content.
    maxAge: '1y',
    immutable: true,
  })
}
