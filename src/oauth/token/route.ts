import type { Context } from '../../service/context.ts'
import { route, type App } from '../../http/contract.ts'
import { readClientRequest } from '../client/client-request.ts'
import type { LimitClientRequest } from '../client/limit-client-requests.ts'
import { tokenContract } from './contract.ts'
import { createGrants } from './grants.ts'

export function registerTokenRoute(app: App, context: Context, limitRequest: LimitClientRequest): void {
  const exchange = createGrants(context)

  app.post('/oauth/token', route(tokenContract), async (request, reply) => {
    const asked = readClientRequest(request)
    reply.headers(await limitRequest(asked))
    return exchange(asked)
  })
}
