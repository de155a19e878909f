import { appPermissions } from '../../people/access/app-permissions.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { appsPagePath } from './authorization-server.ts'

/** The service itself, `/v1`, what is below it [oauth.resource], and the tools for assistants. */
const resourcePath = /^(?:\/|\/v1(?:\/[^?#]*)?|\/mcp)?$/

/**
 * The metadata of a protected resource (RFC 9728, 2). `path` is what followed the well-known address, undecoded: `resource` is
 * exactly the URL of the challenge ([all.challenge]; RFC 9728, 3.3).
 *
 * @throws 404 for a path that is not a resource of this service
 */
export function protectedResource(baseUrl: string, path: string) {
  if (!resourcePath.test(path)) throw notFound()
  return {
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl],
    scopes_supported: [...appPermissions],
    bearer_methods_supported: ['header'],
    resource_name: 'Numera',
    resource_documentation: `${baseUrl}${appsPagePath}`,
  }
}
