import type { Context } from '../../context.ts'
import { route, type App } from '../../http/contract.ts'
import { revokeContract, tokenContract } from './contract.ts'
import { createGrants } from './grants.ts'
import { notAForm, readTokenRequest } from './read-token-request.ts'
import { revokeToken } from './revoke-token.ts'
import { createTakeEndpointToken } from './take-endpoint-token.ts'

/** Several times the longest request that makes sense. */
export const formBytesMax = 16_384

export const registerTokenRoutes = async (app: App, context: Context): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytesMax },
    (_request, body, done) => done(null, body),
  )
  app.addContentTypeParser('*', (_request, _body, done) => done(notAForm()))

  const takeEndpointToken = createTakeEndpointToken(context)
  const trade = createGrants(context)

  app.post('/oauth/token', route(tokenContract), async (request, reply) => {
    const asked = readTokenRequest(request)
    reply.headers(await takeEndpointToken(asked))
    return trade(asked)
  })

  app.post('/oauth/revoke', route(revokeContract), async (request, reply) => {
    const asked = readTokenRequest(request)
    reply.headers(await takeEndpointToken(asked))
    await revokeToken(context, asked)
    return reply.send()
  })
}
