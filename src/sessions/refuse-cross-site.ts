import type { FastifyRequest } from 'fastify'
import { ApiError } from '../http/errors.ts'
import { isWrite } from '../http/is-write.ts'

/** A page of another origin can send these without a preflight (Fetch, "CORS-safelisted method"). */
const simpleMethods = new Set(['POST'])

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function originHost(origin: string): string | undefined {
  return URL.parse(origin)?.host
}

/** Whether the browser says that the request comes from this service's own pages. */
function isSameOrigin(request: FastifyRequest, baseUrl: string): boolean {
  const site = header(request, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = header(request, 'origin')
  // Not a browser: those say where a write comes from. No other site can make a program send its cookie.
  if (origin === undefined) return true
  return origin === baseUrl || originHost(origin) === request.host
}

/**
 * Keeps pages of other sites from writing with a member's cookie: beside the cookie's `SameSite`, a write must come
 * from this origin and be JSON, which a form cannot send.
 *
 * @throws 403 `permission_denied` from elsewhere; 415 where the body is no JSON
 */
export function refuseCrossSite(request: FastifyRequest, baseUrl: string): void {
  if (!isWrite(request.method)) return
  if (!isSameOrigin(request, baseUrl)) {
    throw new ApiError('permission_denied', 'This can only be asked for from the pages of the service.')
  }
  const mediaType = header(request, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (simpleMethods.has(request.method) && mediaType !== 'application/json') {
    throw new ApiError('unsupported_media_type', 'This address takes application/json only.')
  }
}
