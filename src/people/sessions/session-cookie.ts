import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'

type SessionCookie = 'numera_session' | 'numera_order'

/**
 * Over https the name begins with `__Host-`, so that no other host of the domain, and no attacker on an unprotected
 * connection, can set the cookie (draft-ietf-httpbis-rfc6265bis, 4.1.3.2).
 */
function toCookie({ baseUrl }: Config, name: SessionCookie) {
  const secure = baseUrl.startsWith('https:')
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return { name: secure ? `__Host-${name}` : name, attributes }
}

export function readCookie(config: Config, request: FastifyRequest, name: SessionCookie): string | undefined {
  return request.cookies[toCookie(config, name).name]
}

export function setCookie(
  config: Config,
  reply: FastifyReply,
  cookie: SessionCookie,
  value: string,
  lifetimeMs: number,
): void {
  const { name, attributes } = toCookie(config, cookie)
  const maxAge = Math.max(1, Math.floor(lifetimeMs / 1000))
  void reply.setCookie(name, value, { ...attributes, maxAge })
}

export function clearCookie(config: Config, reply: FastifyReply, cookie: SessionCookie): void {
  const { name, attributes } = toCookie(config, cookie)
  void reply.clearCookie(name, attributes)
}
