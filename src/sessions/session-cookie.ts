import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

type SessionCookie = 'numera_session' | 'numera_order'

function isHttps(config: Config): boolean {
  return config.baseUrl.startsWith('https:')
}

/**
 * Behind https the name begins with `__Host-`: no other host of the domain, and no one on an unprotected connection,
 * can set it (draft-ietf-httpbis-rfc6265bis, 4.1.3.2).
 */
function nameOf(config: Config, cookie: SessionCookie): string {
  return isHttps(config) ? `__Host-${cookie}` : cookie
}

function attributesOf(config: Config) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(config) } as const
}

export function readCookie(
  config: Config,
  request: FastifyRequest,
  cookie: SessionCookie,
): string | undefined {
  return request.cookies[nameOf(config, cookie)]
}

export function setCookie(
  config: Config,
  reply: FastifyReply,
  cookie: SessionCookie,
  value: string,
  lifetimeMs: number,
): void {
  const maxAge = Math.max(1, Math.floor(lifetimeMs / 1000))
  void reply.setCookie(nameOf(config, cookie), value, { ...attributesOf(config), maxAge })
}

export function clearCookie(config: Config, reply: FastifyReply, cookie: SessionCookie): void {
  void reply.clearCookie(nameOf(config, cookie), attributesOf(config))
}
