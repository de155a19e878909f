import type { FastifyReply, FastifyRequest } from 'fastify'
import { corsHeaders, isOpenToAnyOrigin, preflightHeaders } from '../cors.ts'
import { ApiError, invalidArgument, notFound } from '../errors/errors.ts'
import { nearestAddress } from './nearest-address.ts'
import { toPath, type RouteTable } from '../route-table.ts'
import { hasUrlCredential, isApiTarget } from './url-credential.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What every answer of the route carries, errors included; made once when the route is registered. */
    answerHeaders?: Record<string, string>
  }
}

function credentialInUrl(): ApiError {
  return new ApiError(
    'credential_in_url',
    'A credential was sent in the URL; send it in the Authorization header, and rotate it.',
  )
}

/** Throws 400 `credential_in_url` [all.url-credential]. Other addresses have parameters of such names. */
function refuseUrlCredential(target: string): void {
  if (isApiTarget(target) && hasUrlCredential(target)) throw credentialInUrl()
}

/** `Host`, RFC 9110, 7.2: a name, an IPv4 address or an IPv6 address in brackets, and a port. */
const hostPattern = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/** RFC 9112, 3.2: a request names its host once, and as a host. */
function requireHost({ raw }: FastifyRequest): void {
  const { rawHeaders } = raw
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (host !== undefined) throw invalidArgument('The request has two Host headers: send one.', 'Host')
    host = rawHeaders[index + 1]!
  }
  if (host !== undefined) {
    if (!hostPattern.test(host))
      throw invalidArgument('The Host header is not a host name with an optional port.', 'Host')
  } else if (raw.httpVersion === '1.1') throw invalidArgument('The Host header is missing.', 'Host')
}

/** Checks every request before its route: throws 400 for a credential in the URL, and for a wrong `Host`. */
export function checkRequestHead(request: FastifyRequest): void {
  refuseUrlCredential(request.raw.url ?? '/')
  requireHost(request)
}

function noSuchAddress(target: string, routes: RouteTable): ApiError {
  const near = nearestAddress(toPath(target) ?? '', routes.entries)
  return notFound(
    near === undefined
      ? 'There is no such address; /openapi.json lists all of the API.'
      : `There is no such address; the nearest one is ${near}.`,
  )
}

/** Settles what no route takes, before any of its body is read: a preflight, 405 with `Allow`, 404. */
function answerUnrouted(routes: RouteTable, request: FastifyRequest, reply: FastifyReply): void {
  const entries = routes.at(toPath(request.raw.url ?? '/') ?? '')
  if (entries.length === 0) throw noSuchAddress(request.raw.url ?? '/', routes)
  const methods = [...new Set([...entries.map((entry) => entry.method), 'OPTIONS'])].toSorted()
  const open = entries.filter((entry) => isOpenToAnyOrigin(entry.method, entry.contract))
  if (open.length > 0) reply.headers(corsHeaders)
  if (request.method !== 'OPTIONS') {
    const shown = methods.filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
    throw new ApiError(
      'method_not_allowed',
      `This address takes ${shown.join(', ')}, not ${request.method}.`,
      {
        headers: { Allow: methods.join(', ') },
      },
    )
  }
  reply.header('allow', methods.join(', '))
  if (open.length > 0) reply.headers(preflightHeaders([...new Set(open.map((entry) => entry.method))]))
  reply.code(204).send()
}

/**
 * The first thing that happens to every request, known address or not. A plain callback rather than a promise, since
 * every request pays for it.
 */
export function createOpenRequest(routes: RouteTable, defaultHeaders: Record<string, string>) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { config } = request.routeOptions
    reply.headers(config?.answerHeaders ?? defaultHeaders)
    reply.header('x-request-id', request.id)
    try {
      checkRequestHead(request)
      if (config?.url === undefined) answerUnrouted(routes, request, reply)
      else done()
    } catch (error) {
      done(error as Error)
    }
  }
}
