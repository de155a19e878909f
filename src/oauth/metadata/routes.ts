import type { FastifyRequest } from 'fastify'
import type { Context } from '../../service/context.ts'
import { protectedResourcePath } from '../../http/challenge.ts'
import { route, type App } from '../../http/contract.ts'
import { authorizationServer, authorizationServerPath } from './authorization-server.ts'
import {
  authorizationServerContract,
  protectedResourceContract,
  protectedResourceOfPathContract,
} from './contract.ts'
import { protectedResource } from './protected-resource.ts'

/** The resource's path, which follows the well-known address, as it was sent. */
function pathBehind(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]!.slice(protectedResourcePath.length)
}

export async function registerMetadataRoutes(app: App, context: Context): Promise<void> {
  const { baseUrl } = context.config

  app.get(authorizationServerPath, route(authorizationServerContract), async () =>
    authorizationServer(baseUrl),
  )

  app.get(protectedResourcePath, route(protectedResourceContract), async () => protectedResource(baseUrl, ''))

  app.get(`${protectedResourcePath}/*`, route(protectedResourceOfPathContract), async (request) =>
    protectedResource(baseUrl, pathBehind(request)),
  )
}
