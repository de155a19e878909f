import { notFound } from '../../http/errors.ts'
import { appPermissions } from '../../access/app-permissions.ts'
import { appsPagePath } from './apps-page.ts'

/** RFC 9728, section 2. */
export interface ProtectedResource {
  resource: string
  authorization_servers: string[]
  scopes_supported: string[]
  bearer_methods_supported: string[]
  resource_name: string
  resource_documentation: string
}

/** The service itself, `/v1`, and what is below it [oauth.resource]. */
const resourcePath = /^(?:\/|\/v1(?:\/[^?#]*)?)?$/

/**
 * The metadata of a protected resource. `path` is what followed the well-known address, undecoded: `resource` is
 * exactly the URL that a challenge was about ([all.challenge]; RFC 9728, 3.3).
 *
 * @throws 404 for a path that is not a resource of this service
 */
export function protectedResource(baseUrl: string, path: string): ProtectedResource {
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
