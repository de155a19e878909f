import { route, type App } from '../http/contract.ts'
import { notFound } from '../http/errors.ts'
import type { Context } from '../service/context.ts'
import { refuseCrossSite } from '../sessions/refuse-cross-site.ts'
import { makeDemoVisitContract, showDemoContract } from './contract.ts'
import { makeVisit } from './make-visit.ts'

/** What the documents' front page offers to visitors of a demo deployment; 404 on another one. No session is read. */
export async function registerDemoVisitRoutes(app: App, context: Context): Promise<void> {
  const { config, identity } = context

  app.get('/docs/demo', route(showDemoContract), async () => {
    if (!identity.demo) throw notFound()
    return {
      credential: config.demoCredential ?? null,
      made_anew_at: config.demoResetAt ?? null,
    }
  })

  app.post(
    '/docs/demo/visits',
    {
      ...route(makeDemoVisitContract),
      onRequest: async (request) => refuseCrossSite(request, config.baseUrl),
    },
    async (request, reply) => {
      if (!identity.demo) throw notFound()
      const visit = await makeVisit(context, request.ip)
      return reply.code(201).send({
        source_id: visit.sourceId,
        credential: visit.credential,
        expires_at: visit.expiresAt.toISOString(),
      })
    },
  )
}
