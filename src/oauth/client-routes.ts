import type { DirectoryContext } from '../context.ts'
import { route, type App } from '../platform/http/contract.ts'
import { parseForms, readClientRequest } from './client/client-request.ts'
import { createClientRequestLimiter } from './client/limit-client-requests.ts'
import { revokeContract } from './revoke/contract.ts'
import { revokeToken } from './revoke/revoke-token.ts'
import { tokenContract } from './token/contract.ts'
import { createTokenEndpoint } from './token/token-endpoint.ts'

/** The endpoints that clients send forms to, which share a limit. */
export async function registerClientRoutes(app: App, context: DirectoryContext): Promise<void> {
  parseForms(app)
  const limitRequest = createClientRequestLimiter(context)
  const issueTokens = createTokenEndpoint(context)

  app.post('/oauth/token', route(tokenContract), async (request, reply) => {
    const clientRequest = readClientRequest(request)
    reply.headers(await limitRequest(clientRequest))
    return issueTokens(clientRequest)
  })

  app.post('/oauth/revoke', route(revokeContract), async (request, reply) => {
    const clientRequest = readClientRequest(request)
    reply.headers(await limitRequest(clientRequest))
    await revokeToken(context, clientRequest)
    return reply.send()
  })
}
