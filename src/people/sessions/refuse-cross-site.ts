import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/http/errors/errors.ts'
import { isWrite } from '../../platform/http/requests/is-write.ts'

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Whether the browser says that the request comes from this service's own pages. */
function isSameOrigin(request: FastifyRequest, baseUrl: string): boolean {
  const site = header(request, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = header(request, 'origin')
  // Browsers send an origin with every write. This is a program, and no other site can make one send its cookie.
  if (origin === undefined) return true
  return origin === baseUrl || URL.parse(origin)?.host === request.host
}

/**
 * Keeps pages of other sites from writing with a member's cookie. In addition to the cookie's `SameSite`, a write must come
 * from this origin, and a POST, which pages of other origins can send without a preflight (Fetch, "CORS-safelisted method"),
 * must be JSON, which a form cannot send.
 *
 * @throws 403 `permission_denied` from elsewhere; 415 if the body is not JSON
 */
export function refuseCrossSite(request: FastifyRequest, baseUrl: string): void {
  if (!isWrite(request.method)) return
  if (!isSameOrigin(request, baseUrl)) {
    throw new ApiError('permission_denied', 'Only the pages of this service may send this request.')
  }
  const mediaType = header(request, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (request.method === 'POST' && mediaType !== 'application/json') {
    throw new ApiError('unsupported_media_type', 'This address accepts application/json only.')
  }
}
