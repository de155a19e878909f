import cookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { readRequestBody } from '../../http/body/parse-bodies.ts'
import { clientNetwork } from '../../http/client-network.ts'
import { route, type App } from '../../http/contract.ts'
import { invalidArgument, notFound } from '../../http/errors.ts'
import { consume } from '../../rate-limit/consume.ts'
import { rateLimited } from '../../rate-limit/rate-limited.ts'
import type { Context } from '../../service/context.ts'
import { readCookie } from '../../sessions/session-cookie.ts'
import { answerSignInContract, backChannelLogoutContract } from './contract.ts'
import { backChannelLogoutPath, callbackPath, type OpenIdConnectProvider } from './open-openid-connect.ts'

/** Several times the longest logout token that makes sense. A larger form is 413. */
export const logoutBodyBytesMax = 16_384

/** Logout tokens, by the network that they come from: a provider ends the sessions of many in a short time. */
export const backChannelLogoutRate = { perMinute: 300, burst: 600 }

/** @throws 404 where the deployment signs people in otherwise */
function providerOf({ identity }: Pick<Context, 'identity'>): OpenIdConnectProvider {
  const { signIn } = identity
  if (signIn.name !== 'oidc') throw notFound()
  return signIn as OpenIdConnectProvider
}

/** @throws 429 `rate_limited` with `Retry-After` */
async function limitLogouts({ pool, clock }: Context, address: string): Promise<void> {
  const subject = `back_channel_logout ${clientNetwork(address)}`
  const bucket = await consume(pool, subject, backChannelLogoutRate, clock.now())
  if (!bucket.granted) throw rateLimited(bucket.retryAfterSeconds)
}

/** What an OpenID Connect provider calls: with the person's browser, and by itself. */
export async function registerOpenIdConnectRoutes(app: App, context: Context): Promise<void> {
  await app.register(cookie)
  app.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    const body = await readRequestBody(app, request, logoutBodyBytesMax)
    return new URLSearchParams(body.toString())
  })

  app.get(
    callbackPath,
    // An answer is taken once: not by a look at its headers.
    { ...route(answerSignInContract), exposeHeadRoute: false },
    async (request, reply) => {
      const provider = providerOf(context)
      const browserToken = readCookie(context.config, request, 'numera_order')
      const location = await provider.answer(request.raw.url!, browserToken)
      return reply.code(303).header('location', location).send()
    },
  )

  app.post(backChannelLogoutPath, route(backChannelLogoutContract), async (request, reply) => {
    const provider = providerOf(context)
    await limitLogouts(context, request.ip)
    const { body } = request
    const tokens = body instanceof URLSearchParams ? body.getAll('logout_token') : []
    const [token] = tokens
    if (token === undefined || tokens.length > 1) {
      throw invalidArgument('The form has one logout token.', 'logout_token')
    }
    await provider.endSessions(token)
    return reply.code(200).send()
  })
}
