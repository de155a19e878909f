import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/contract.ts'
import { opensPage } from '../http/requests/opens-page.ts'
import { withFacts, type DocumentFacts } from './document-facts.ts'
import { getPageHeaders } from './page-headers.ts'
import { consentPage, getLinks, programsOnly } from './page-table.ts'
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
 * @param address of the page in the table of pages; absent at an unknown one
 * @param of the parameters of the address, and the facts of this address alone
 */
export function sendIndex(
  reply: FastifyReply,
  address?: string,
  of: { params?: Record<string, string>; facts?: DocumentFacts } = {},
): FastifyReply {
  const { pages } = reply.server
  const hasSession = address !== consentPage && sessionCookie.test(reply.request.headers.cookie ?? '')
  const link = getLinks(pages.table.get(address ?? ''), of.params)
  return reply
    .headers({ ...getPageHeaders(pages.index), link })
    .type('text/html; charset=utf-8')
    .send(withFacts(pages.index, { hasSession, ...of.facts }))
}

/** Answers a person who opened an unknown address with the web app, which says so. False where it was a program. */
export function sendUnknownPage(request: FastifyRequest, reply: FastifyReply): boolean {
  const { raw, routeOptions } = request
  if (routeOptions.url !== undefined || !opensPage(request) || programsOnly.test(raw.url ?? '/')) return false
  sendIndex(reply)
  return true
}

/** The pages of the web app, and what they load. Not part of the API documents. */
export async function registerPageRoutes(app: App): Promise<void> {
  for (const address of app.pages.table.keys()) {
    // `src/oauth/authorize` serves it, once the request of its query is validated.
    if (address === consentPage) continue
    // People who type an address may end it in a slash.
    for (const url of new Set([address, `${address.replace(/\/$/, '')}/`])) {
      app.get<{ Params: Record<string, string> }>(url, ({ params }, reply) =>
        sendIndex(reply, address, { params }),
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
