import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readRequestBody } from '../../http/body/parse-bodies.ts'
import { clientNetwork } from '../../http/client-network.ts'
import { route, type App } from '../../http/contract.ts'
import { sendErrorPage } from '../../http/error-page.ts'
import { ApiError, invalidArgument, notFound } from '../../http/errors.ts'
import { consume } from '../../rate-limit/consume.ts'
import { rateLimited } from '../../rate-limit/rate-limited.ts'
import type { Context } from '../../service/context.ts'
import { readCookie } from '../../sessions/session-cookie.ts'
import { answerSignInContract, backChannelLogoutContract } from './contract.ts'
import { LogoutRefused } from './failure.ts'
import { backChannelLogoutPath, callbackPath, type OpenIdConnectProvider } from './open-openid-connect.ts'

/** Several times the longest logout token that makes sense. A larger form is 413. */
export const logoutBodyBytesMax = 16_384

/** Logout tokens that do not hold, by the network that they come from. Those that do are taken all the same. */
export const backChannelLogoutRate = { perMinute: 300, burst: 600 }

/** How long after a line of the log about a refused logout token the next ones are at `debug` only, in milliseconds. */
export const refusedLogoutLineMs = 60_000

/** @throws 404 where the deployment signs people in otherwise */
function providerOf({ identity }: Pick<Context, 'identity'>): OpenIdConnectProvider {
  const { signIn } = identity
  if (signIn.name !== 'oidc') throw notFound()
  return signIn as OpenIdConnectProvider
}

function logoutTokenIn(body: unknown): string {
  const [token, ...others] = body instanceof URLSearchParams ? body.getAll('logout_token') : []
  if (token === undefined || others.length > 0) {
    throw new LogoutRefused('form', 'The form has one logout token.')
  }
  return token
}

/** How a token that was refused is answered: 400 `invalid_argument`, or 429 `rate_limited` after many from a network. */
function createRefusal({
  pool,
  clock,
  log,
}: Context): (address: string, refused: LogoutRefused) => Promise<ApiError> {
  let toldAtMs = -Infinity
  return async (address, { why, message }) => {
    const now = clock.now()
    const isDue = Math.abs(now - toldAtMs) >= refusedLogoutLineMs
    if (isDue) toldAtMs = now
    log[isDue ? 'warn' : 'debug']({ why }, 'a logout token was refused')
    const subject = `back_channel_logout ${clientNetwork(address)}`
    const bucket = await consume(pool, subject, backChannelLogoutRate, now)
    return bucket.granted ? invalidArgument(message, 'logout_token') : rateLimited(bucket.retryAfterSeconds)
  }
}

/** What an OpenID Connect provider calls: with the person's browser, and by itself. */
export async function registerOpenIdConnectRoutes(app: App, context: Context): Promise<void> {
  await app.register(cookie)
  app.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    const body = await readRequestBody(app, request, logoutBodyBytesMax)
    return new URLSearchParams(body.toString())
  })

  const { schema, config } = route(answerSignInContract)
  app.get(
    callbackPath,
    {
      schema,
      config: {
        ...config,
        errorPage: (_status: number, request: FastifyRequest, reply: FastifyReply) =>
          sendErrorPage(request, reply, 'not_signed_in'),
      },
      // An answer is taken once: not by a look at its headers.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const provider = providerOf(context)
      const browserToken = readCookie(context.config, request, 'numera_order')
      const location = await provider.answer(request.raw.url!, browserToken)
      return reply.code(303).header('location', location).send()
    },
  )

  const refuse = createRefusal(context)
  const count = (outcome: string): void => context.telemetry.backChannelLogouts.inc({ outcome })

  app.post(backChannelLogoutPath, route(backChannelLogoutContract), async (request, reply) => {
    const provider = providerOf(context)
    try {
      const ended = await provider.endSessions(logoutTokenIn(request.body))
      count(ended === 0 ? 'no_session' : 'ended')
    } catch (error) {
      const thrown = error instanceof LogoutRefused ? await refuse(request.ip, error) : error
      if (thrown instanceof ApiError) count(thrown.code === 'rate_limited' ? 'rate_limited' : 'refused')
      throw thrown
    }
    return reply.code(200).send()
  })
}
