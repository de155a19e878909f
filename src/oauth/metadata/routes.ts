import type { DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { protectedResourcePath } from '../../platform/http/errors/challenge.ts'
import { authorizationServer, authorizationServerPath } from './authorization-server.ts'
import {
  authorizationServerContract,
  protectedResourceContract,
  protectedResourceOfPathContract,
} from './contract.ts'
import { protectedResource } from './protected-resource.ts'

export async function registerMetadataRoutes(app: App, context: DirectoryContext): Promise<void> {
  const { baseUrl } = context.config

  app.get(authorizationServerPath, route(authorizationServerContract), async () =>
    authorizationServer(baseUrl),
  )

  app.get(protectedResourcePath, route(protectedResourceContract), async () => protectedResource(baseUrl, ''))

  app.get(`${protectedResourcePath}/*`, route(protectedResourceOfPathContract), async ({ url }) =>
    // As it was sent: the path of the resource is not decoded.
    protectedResource(baseUrl, url.split('?', 1)[0]!.slice(protectedResourcePath.length)),
  )
}
