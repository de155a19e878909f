import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../../context.ts'
import { readRequestBody } from '../../../platform/http/body/parse-bodies.ts'
import { route, type App } from '../../../platform/http/contract.ts'
import { ApiError, invalidArgument, notFound } from '../../../platform/http/errors/errors.ts'
import { clientNetwork } from '../../../platform/http/requests/client-network.ts'
import { consume } from '../../../platform/rate-limit/consume.ts'
import { rateLimited } from '../../../platform/rate-limit/rate-limited.ts'
import { sendErrorPage } from '../../../platform/web-app/error-page.ts'
import { readCookie } from '../../sessions/session-cookie.ts'
import type { WithIdentity } from '../identity-provider.ts'
import { answerSignInContract, backChannelLogoutContract } from './contract.ts'
import { LogoutRefused } from './failure.ts'
import { backChannelLogoutPath, callbackPath, OpenIdConnect } from './openid-connect.ts'

/** Several times the longest logout token that makes sense. A larger form is 413. */
const logoutBodyBytesMax = 16_384

/** Logout tokens that do not hold, by client network. Valid ones are accepted all the same. */
export const backChannelLogoutRate = { perMinute: 300, burst: 600 }

/** How long after a log line about a refused logout token the next ones are at `debug` only, in milliseconds. */
export const refusedLogoutLineMs = 60_000

/** @throws 404 if the deployment signs people in otherwise */
function getProvider({ identity }: WithIdentity): OpenIdConnect {
  if (identity.signIn instanceof OpenIdConnect) return identity.signIn
  throw notFound()
}

function readLogoutToken(body: unknown): string {
  const [token, ...others] = body instanceof URLSearchParams ? body.getAll('logout_token') : []
  if (token !== undefined && others.length === 0) return token
  throw new LogoutRefused('form', 'The form must have one logout token.')
}

function errorPage(_status: number, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendErrorPage(request, reply, 'not_signed_in')
}

/** Logs a refused token, and gives the error to answer: 400, or 429 after many from a network. */
function createRefusal({
  pool,
  clock,
  log,
}: DirectoryContext): (address: string, refused: LogoutRefused) => Promise<ApiError> {
  let loggedAtMs = -Infinity
  return async (address, { why, message }) => {
    const now = clock.now()
    const isDue = Math.abs(now - loggedAtMs) >= refusedLogoutLineMs
    if (isDue) loggedAtMs = now
    log[isDue ? 'warn' : 'debug']({ why }, 'a logout token was refused')
    const subject = `back_channel_logout ${clientNetwork(address)}`
    const bucket = await consume(pool, subject, backChannelLogoutRate, now)
    return bucket.granted ? invalidArgument(message, 'logout_token') : rateLimited(bucket.retryAfterSeconds)
  }
}

/** What an OpenID Connect provider calls, through the person's browser and directly. */
export async function registerOpenIdConnectRoutes(
  app: App,
  context: DirectoryContext & WithIdentity,
): Promise<void> {
  await app.register(cookie)
  app.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    const body = await readRequestBody(app, request, logoutBodyBytesMax)
    return new URLSearchParams(body.toString())
  })

  const { schema, config } = route(answerSignInContract)
  // Without HEAD: an answer is accepted once, and not by a request for its headers.
  const options = { schema, config: { ...config, errorPage }, exposeHeadRoute: false }
  app.get(callbackPath, options, async (request, reply) => {
    const provider = getProvider(context)
    const browserToken = readCookie(context.config, request, 'numera_order')
    const location = await provider.answer(request.raw.url!, browserToken)
    return reply.code(303).header('location', location).send()
  })

  const refuse = createRefusal(context)
  const count = (outcome: string): void => context.telemetry.backChannelLogouts.inc({ outcome })

  app.post(backChannelLogoutPath, route(backChannelLogoutContract), async (request, reply) => {
    const provider = getProvider(context)
    try {
      const ended = await provider.endSessions(readLogoutToken(request.body), app.recordSessionEvent)
      count(ended === 0 ? 'no_session' : 'ended')
    } catch (error) {
      const thrown = error instanceof LogoutRefused ? await refuse(request.ip, error) : error
      if (thrown instanceof ApiError) count(thrown.code === 'rate_limited' ? 'rate_limited' : 'refused')
      throw thrown
    }
    return reply.code(200).send()
  })
}
