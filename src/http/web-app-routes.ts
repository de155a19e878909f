import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { App } from './contract.ts'
import { pageHeaders } from './page-headers.ts'
import type { Pages } from './web-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    pages: Pages
  }
}

/** The addresses of the web app, beside `/oauth/authorize`. */
const addresses = ['/sign-in', '/apps']

/** Answers with the web app, which shows what belongs to the address. */
export function sendIndex(reply: FastifyReply): FastifyReply {
  return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(reply.server.pages.index)
}

/** The pages of the web app, and what they load. Not part of the API documents. */
export async function registerPageRoutes(app: App): Promise<void> {
  for (const address of addresses) app.get(address, (_request, reply) => sendIndex(reply))
  // Where people begin when they type the bare address.
  app.get('/', (_request, reply) => reply.redirect('/apps', 302))

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
