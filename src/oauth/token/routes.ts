import type { FastifyRequest } from 'fastify'
import type { Context } from '../../service/context.ts'
import { readRequestBody } from '../../http/body/parse-bodies.ts'
import { route, type App } from '../../http/contract.ts'
import { revokeContract, tokenContract } from './contract.ts'
import { createGrants } from './grants.ts'
import { notAForm, readTokenRequest } from './read-token-request.ts'
import { revokeToken } from '../revoke/revoke-token.ts'
import { createTokenRequestLimiter } from './limit-token-requests.ts'

/** Several times the longest request that makes sense. A larger form is 413. */
export const tokenFormBytesMax = 16_384

export async function registerTokenRoutes(app: App, context: Context): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) =>
    (await readRequestBody(app, request, tokenFormBytesMax)).toString(),
  )
  app.addContentTypeParser('*', (_request, _body, done) => done(notAForm()))

  const limitTokenRequest = createTokenRequestLimiter(context)
  const exchange = createGrants(context)

  app.post('/oauth/token', route(tokenContract), async (request, reply) => {
    const asked = readTokenRequest(request)
    reply.headers(await limitTokenRequest(asked))
    return exchange(asked)
  })

  app.post('/oauth/revoke', route(revokeContract), async (request, reply) => {
    const asked = readTokenRequest(request)
    reply.headers(await limitTokenRequest(asked))
    await revokeToken(context, asked)
    return reply.send()
  })
}
