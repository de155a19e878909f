import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './contract.ts'
import { withFacts, type DocumentFacts } from './document-facts.ts'
import { pageHeaders } from './page-headers.ts'
import type { Pages } from './web-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    pages: Pages
  }
}

const company = '/companies/:company_id'

/** The addresses of the web app (`web/src/routes.tsx`), beside `/oauth/authorize`. */
const addresses = [
  '/sign-in',
  '/apps',
  '/signatures',
  '/invitations',
  '/companies',
  company,
  `${company}/reports`,
  `${company}/reports/:source_id/:metric`,
  `${company}/sources`,
  `${company}/sources/:source_id`,
  `${company}/sources/:source_id/:tab`,
  `${company}/connections`,
  `${company}/connections/:connection_id`,
  `${company}/deliveries`,
  `${company}/deliveries/:artifact_id`,
  `${company}/members`,
]

/**
 * Answers with the web app, which shows what belongs to the address.
 *
 * @param facts of this address alone
 */
export function sendIndex(reply: FastifyReply, facts: DocumentFacts = {}): FastifyReply {
  return reply
    .headers(pageHeaders)
    .type('text/html; charset=utf-8')
    .send(withFacts(reply.server.pages.index, facts))
}

/** What programs call, and what pages load: whoever asks there is no reader. */
const programsOnly = /^\/(?:v1|console|oauth|assets|\.well-known)(?:[/?]|$)/

/** `text/html` by its own name, as browsers ask for pages; programs take anything (RFC 9110, 12.5.1). */
const asksForHtml = /(?:^|,)\s*text\/html\s*(?:;|,|$)/i

/** Whether an address was opened by a person, in a browser. */
export function opensPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && asksForHtml.test(headers.accept ?? '')
}

/** Whether an address that nobody knows was opened by a person, for whom the web app says so. */
export function opensUnknownPage(request: FastifyRequest): boolean {
  const { raw, routeOptions } = request
  return routeOptions.url === undefined && opensPage(request) && !programsOnly.test(raw.url ?? '/')
}

/** The pages of the web app, and what they load. Not part of the API documents. */
export async function registerPageRoutes(app: App): Promise<void> {
  app.get('/', (_request, reply) => sendIndex(reply))
  // Whoever types an address may end it in a slash.
  for (const address of addresses.flatMap((address) => [address, `${address}/`])) {
    app.get(address, (_request, reply) => sendIndex(reply))
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
