import type { Contract, Permission } from './contract.ts'
import { isWrite } from './is-write.ts'
import type { JsonSchema } from './openapi-schema.ts'

const permissions: Record<Permission, string> = {
  'sources.ingest': 'Push deliveries to a source.',
  'metrics.read': 'Read samples.',
  'company.read': 'Read which companies there are.',
}

/** What a service connection may hold; an app's `company.read` does not come by client credentials. */
const servicePermissions: Permission[] = ['sources.ingest', 'metrics.read']

const schemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token (prefix `nat_`), or a static credential (prefix `nsk_`) for what cannot exchange a token. In ' +
      'the `Authorization` header only, never in the URL.',
  },
  clientCredentials: {
    type: 'oauth2',
    description:
      'The preferred way of a service connection: its client id and secret are exchanged for a token of an hour.',
    flows: {
      clientCredentials: {
        tokenUrl: '/oauth/token',
        scopes: Object.fromEntries(servicePermissions.map((name) => [name, permissions[name]])),
      },
    },
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description:
      'The client id and the secret (prefix `ncs_`) of a service connection. For the token endpoint only.',
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
    description: 'HMAC-SHA256 of time, delivery id and body under the signing secret of the source.',
  },
} as const

type SchemeName = keyof typeof schemes

/** Alternatives: any one of them opens the route. */
export function securityOf(contract: Contract, method: string): JsonSchema[] {
  switch (contract.guard) {
    case 'client':
      // An app has no secret: it names itself in the form.
      return [{ client: [] }, {}]
    case 'bearer': {
      const needed = [contract.permission ?? []].flat().filter((name) => servicePermissions.includes(name))
      return [{ bearer: [] }, ...needed.map((name) => ({ clientCredentials: [name] }))]
    }
    case 'none':
      return []
    case 'session':
      return [isWrite(method) ? { session: [], csrfToken: [] } : { session: [] }]
    default:
      return [{ [contract.guard]: [] }]
  }
}

/** The schemes that the routes use. */
export function securitySchemesOf(
  routes: readonly { method: string; contract: Contract }[],
): Record<string, JsonSchema> {
  const used = new Set(
    routes.flatMap(({ contract, method }) =>
      securityOf(contract, method).flatMap((need) => Object.keys(need) as SchemeName[]),
    ),
  )
  return Object.fromEntries(
    Object.entries(schemes).filter(([name]) => used.has(name as SchemeName)),
  ) as Record<string, JsonSchema>
}
