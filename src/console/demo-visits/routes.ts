import { route, type App } from '../../platform/http/contract.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import type { DirectoryContext } from '../../context.ts'
import { refuseCrossSite } from '../../people/sessions/refuse-cross-site.ts'
import { createDemoVisitContract, showDemoContract } from './contract.ts'
import { createVisit } from './create-visit.ts'

/** What the documents' front page offers to visitors of a demo deployment; 404 elsewhere. No session is read. */
export async function registerDemoVisitRoutes(app: App, context: DirectoryContext): Promise<void> {
  const { config } = context
  const isDemo = config.identityProvider === 'demo'

  app.get('/docs/demo', route(showDemoContract), async () => {
    if (!isDemo) throw notFound()
    return {
      credential: config.demoCredential ?? null,
      resets_at: config.demoResetAt ?? null,
    }
  })

  app.post(
    '/docs/demo/visits',
    {
      ...route(createDemoVisitContract),
      onRequest: async (request) => refuseCrossSite(request, config.baseUrl),
    },
    async (request, reply) => {
      if (!isDemo) throw notFound()
      return reply.code(201).send(await createVisit(context, request.ip))
    },
  )
}
