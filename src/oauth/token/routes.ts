import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../../access/client-network.ts'
import type { Context } from '../../context.ts'
import { route, type App } from '../../http/contract.ts'
import { tokenContract } from './contract.ts'
import { chooseGrant } from './grants.ts'
import { OauthError } from '../oauth-error.ts'
import { readClientCredentials } from './read-client-credentials.ts'
import { readForm } from './read-form.ts'
import { takeEndpointToken } from './take-endpoint-token.ts'
import type { TokenRequest } from './token-request.ts'

/** Several times the longest request that makes sense. */
const formBytesMax = 16_384

const notAForm = (): OauthError =>
  new OauthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')

const readTokenRequest = (request: FastifyRequest): TokenRequest => {
  const { authorization } = request.headers
  if (typeof request.body !== 'string') throw notAForm()
  return {
    form: readForm(request.body),
    usedAuthorization: authorization !== undefined,
    credentials: authorization === undefined ? undefined : readClientCredentials(authorization),
    network: clientNetwork(request.ip),
  }
}

export const registerTokenRoutes = async (app: App, context: Context): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytesMax },
    (_request, body, done) => done(null, body),
  )
  app.addContentTypeParser('*', (_request, _body, done) => done(notAForm()))

  app.post('/oauth/token', route(tokenContract), async (request, reply) => {
    const asked = readTokenRequest(request)
    reply.headers(await takeEndpointToken(context, asked))
    return chooseGrant(asked)(context, asked)
  })
}
