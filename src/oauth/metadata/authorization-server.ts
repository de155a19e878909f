import { servicePermissions } from '../../company/connections/connection.ts'
import { appPermissions } from '../../people/access/app-permissions.ts'

/** Where the document is (RFC 8414, 3); the issuer has no path. */
export const authorizationServerPath = '/.well-known/oauth-authorization-server'

/** Where both documents of metadata send people who write an app. */
export const appsPagePath = '/docs/apps'

/** For service connections and apps; the protected resource's document lists those that an app may request. */
export const connectionPermissions = [...new Set([...appPermissions, ...servicePermissions])].toSorted()

/** RFC 8414, section 2 [oauth.metadata]. */
export function authorizationServer(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: connectionPermissions,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}${appsPagePath}`,
  }
}
