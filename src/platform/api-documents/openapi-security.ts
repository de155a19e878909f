import type { Contract, Permission } from '../http/contract.ts'
import { isWrite } from '../http/requests/is-write.ts'
import { extensions } from '../http/openapi-extensions.ts'
import type { JsonSchema } from './openapi-schema.ts'

const permissions: Record<Permission, string> = {
  'sources.ingest': 'Push deliveries to a source.',
  'metrics.read': 'Read samples.',
  'company.read': 'Read which companies there are.',
}

/** What a service connection may hold; an app's `company.read` does not come by client credentials. */
const servicePermissions: Permission[] = ['sources.ingest', 'metrics.read']

/** What an app may ask for. */
const appPermissions: Permission[] = ['company.read', 'metrics.read']

function toScopes(names: readonly Permission[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, permissions[name]]))
}

/** Paths stand behind the base address of the deployment. */
const schemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'nsk_… or nat_…',
    description:
      'Paste a static credential (prefix `nsk_`), or an access token (prefix `nat_`) from `POST /oauth/token`. In the ' +
      '`Authorization` header only, never in the URL.',
  },
  clientCredentials: {
    type: 'oauth2',
    description:
      'The preferred way of a service connection: its client id and secret (prefix `ncs_`) are exchanged for a token of ' +
      'an hour.',
    flows: {
      clientCredentials: { tokenUrl: '/oauth/token', scopes: toScopes(servicePermissions) },
    },
  },
  app: {
    type: 'oauth2',
    description:
      'An app that acts for a member: register it for a client id, then the member allows it. There is no secret; each ' +
      'authorization has a PKCE pair (S256).',
    flows: {
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth/token',
        refreshUrl: '/oauth/token',
        scopes: toScopes(appPermissions),
        [extensions.pkce]: 'SHA-256',
      },
    },
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description:
      'The client id as the name and the secret (prefix `ncs_`) as the password, of a service connection. For the token ' +
      'endpoint only.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'numera_session',
    description: 'The session of a signed-in member. Behind https the name begins with `__Host-`.',
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description:
      '`csrf_token` of `GET /console/session`: every write of a session carries it. Without it, or with another session’s, ' +
      'the answer is 403 `permission_denied`, and nothing was done.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'Service-Signature',
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of time, delivery id and body under the signing secret of the source. Made ' +
      'again for each attempt.',
  },
} as const

type SchemeName = keyof typeof schemes

/** Alternatives: any one of them opens the route. */
export function getSecurity(contract: Contract, method: string): JsonSchema[] {
  switch (contract.guard) {
    case 'client':
      // An app has no secret: it names itself in the form.
      return [{ client: [] }, {}]
    case 'bearer': {
      const needed = [contract.permission ?? []].flat()
      const among = (names: readonly Permission[]): Permission[] =>
        needed.filter((name) => names.includes(name))
      return [
        { bearer: [] },
        ...among(servicePermissions).map((name) => ({ clientCredentials: [name] })),
        // An app reads only: no permission of apps opens a write.
        ...among(appPermissions).map((name) => ({ app: [name] })),
      ]
    }
    case 'none':
      return []
    case 'session':
      return [isWrite(method) ? { session: [], csrfToken: [] } : { session: [] }]
    default:
      return [{ [contract.guard]: [] }]
  }
}

/** Addresses of a scheme's flow under the base address; as they stand in a document that has none. */
function underBase(scheme: (typeof schemes)[SchemeName], baseUrl: string): JsonSchema {
  if (!('flows' in scheme)) return scheme
  const flows = Object.entries<JsonSchema>(scheme.flows).map(([name, flow]) => [
    name,
    Object.fromEntries(
      Object.entries(flow).map(([key, value]) => [
        key,
        key.endsWith('Url') ? `${baseUrl}${String(value)}` : value,
      ]),
    ),
  ])
  return { ...scheme, flows: Object.fromEntries(flows) }
}

/** The schemes that the routes use. */
export function getSecuritySchemes(
  routes: readonly { method: string; contract: Contract }[],
  baseUrl: string,
): Record<string, JsonSchema> {
  const used = new Set(
    routes.flatMap(({ contract, method }) =>
      getSecurity(contract, method).flatMap((need) => Object.keys(need) as SchemeName[]),
    ),
  )
  return Object.fromEntries(
    Object.entries(schemes)
      .filter(([name]) => used.has(name as SchemeName))
      .map(([name, scheme]) => [name, underBase(scheme, baseUrl)]),
  )
}
