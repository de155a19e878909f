import type { Context } from '../../service/context.ts'
import { route, type App } from '../../http/contract.ts'
import { readClientRequest } from '../client/client-request.ts'
import type { LimitClientRequest } from '../client/limit-client-requests.ts'
import { revokeContract } from './contract.ts'
import { revokeToken } from './revoke-token.ts'

export function registerRevokeRoute(app: App, context: Context, limitRequest: LimitClientRequest): void {
  app.post('/oauth/revoke', route(revokeContract), async (request, reply) => {
    const asked = readClientRequest(request)
    reply.headers(await limitRequest(asked))
    await revokeToken(context, asked)
    return reply.send()
  })
}
