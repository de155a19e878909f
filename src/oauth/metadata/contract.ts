import { Type } from 'typebox'
import { appPermissions } from '../../people/access/app-permissions.ts'
import { contract, type Answer } from '../../platform/http/contract.ts'
import { authorizationServer, connectionPermissions } from './authorization-server.ts'
import { protectedResource } from './protected-resource.ts'

const exampleUrl = 'https://numera.example.com'

function uri(description: string) {
  return Type.String({ format: 'uri', description })
}
function namesSchema(names: readonly string[], description: string) {
  return Type.Array(Type.Union(names.map((name) => Type.Literal(name))), { description })
}

const resourceSchema = Type.Object(
  {
    resource: uri('The URL that the document is about.'),
    authorization_servers: Type.Array(Type.String({ format: 'uri' }), {
      description: 'Where tokens for it come from.',
    }),
    scopes_supported: namesSchema(appPermissions, 'The permissions that an app may request.'),
    bearer_methods_supported: Type.Array(Type.Literal('header'), {
      description: 'How a token is sent: in the `Authorization` header, never in the URL.',
    }),
    resource_name: Type.String({ description: 'The name of the service, for people.' }),
    resource_documentation: uri('How to write an app, for people.'),
  },
  { title: 'ProtectedResource', description: 'Metadata of a protected resource (RFC 9728).' },
)

function resourceAnswer(path: string): Answer {
  return {
    description: 'The metadata.',
    body: resourceSchema,
    examples: { metadata: { summary: 'The metadata', value: protectedResource(exampleUrl, path) } },
  }
}

const metadataDescription =
  'Named by the `WWW-Authenticate` challenge of a 401 on `/v1/*` and `/mcp`. Also lists the permissions that an app may request (RFC 9728).'

export const protectedResourceContract = contract({
  api: 'public',
  operationId: 'describeService',
  summary: 'Describe the service as a protected resource',
  description: `Find the authorization server that issues tokens for the service.\n\n${metadataDescription}`,
  tags: ['Discovery'],
  guard: 'none',
  cors: true,
  responses: { 200: resourceAnswer('') },
})

export const protectedResourceOfPathContract = contract({
  api: 'public',
  operationId: 'describeResource',
  summary: 'Describe one path as a protected resource',
  description:
    `Find the authorization server that issues tokens for an address below \`/v1\`, or for \`/mcp\`.\n\n${metadataDescription} The path of ` +
    'the resource follows the well-known address.',
  tags: ['Discovery'],
  guard: 'none',
  cors: true,
  params: Type.Object({
    '*': Type.String({ description: 'The path of the resource.', examples: ['v1/samples'] }),
  }),
  responses: { 200: resourceAnswer('/v1/samples') },
  errors: [{ code: 'not_found', when: 'The path is not a resource of this service.' }],
})

const example = authorizationServer(exampleUrl)

const authorizationServerSchema = Type.Object(
  {
    issuer: uri('The address of the deployment; the `iss` of every answer of the authorize endpoint.'),
    authorization_endpoint: uri('Where an app sends the member.'),
    token_endpoint: uri('Where codes, refresh tokens and client credentials are exchanged for tokens.'),
    registration_endpoint: uri('Where an app registers (RFC 7591).'),
    revocation_endpoint: uri('Where an app gives its tokens back (RFC 7009).'),
    scopes_supported: namesSchema(
      connectionPermissions,
      'The permissions that a connection may have. Only service connections may have `sources.ingest`.',
    ),
    response_types_supported: namesSchema(
      example.response_types_supported,
      'What the authorize endpoint gives.',
    ),
    response_modes_supported: namesSchema(example.response_modes_supported, 'How it is sent to the app.'),
    grant_types_supported: namesSchema(example.grant_types_supported, 'What can be exchanged for a token.'),
    token_endpoint_auth_methods_supported: namesSchema(
      example.token_endpoint_auth_methods_supported,
      '`none` for apps, `client_secret_basic` for service connections.',
    ),
    revocation_endpoint_auth_methods_supported: namesSchema(
      example.revocation_endpoint_auth_methods_supported,
      'Apps have no secret.',
    ),
    code_challenge_methods_supported: namesSchema(
      example.code_challenge_methods_supported,
      'How the code verifier is hashed (RFC 7636). It is required.',
    ),
    authorization_response_iss_parameter_supported: Type.Literal(true, {
      description: 'Every answer of the authorize endpoint carries `iss` (RFC 9207).',
    }),
    service_documentation: uri('How to write an app, for people.'),
  },
  { title: 'AuthorizationServer', description: 'Metadata of the authorization server (RFC 8414).' },
)

export const authorizationServerContract = contract({
  api: 'public',
  operationId: 'describeAuthorizationServer',
  summary: 'Describe the service as an authorization server',
  description:
    'Find the endpoints of OAuth, their grant types and the permissions that there are.\n\n' +
    'The metadata of RFC 8414, for clients that configure themselves. `scopes_supported` has the permissions that any ' +
    'connection may have; those that an app may request are in the metadata of the protected resource.',
  tags: ['Discovery'],
  guard: 'none',
  cors: true,
  responses: {
    200: {
      description: 'The metadata.',
      body: authorizationServerSchema,
      examples: { metadata: { summary: 'The metadata', value: example } },
    },
  },
})
