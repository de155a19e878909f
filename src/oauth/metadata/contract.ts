import { Type } from 'typebox'
import { contract, type Answer } from '../../http/contract.ts'
import { appPermissions } from '../app-permissions.ts'

const resourceSchema = Type.Object(
  {
    resource: Type.String({ format: 'uri', description: 'The URL that the document is about.' }),
    authorization_servers: Type.Array(Type.String({ format: 'uri' }), {
      description: 'Where tokens for it come from.',
    }),
    scopes_supported: Type.Array(Type.Union(appPermissions.map((name) => Type.Literal(name))), {
      description: 'The permissions that an app may ask for.',
    }),
    bearer_methods_supported: Type.Array(Type.Literal('header'), {
      description: 'How a token is sent: in the `Authorization` header, never in the URL.',
    }),
    resource_name: Type.String({ description: 'The name of the service, for people.' }),
  },
  { title: 'ProtectedResource', description: 'Metadata of a protected resource (RFC 9728).' },
)

const resourceAnswer = (path: string): Answer => ({
  description: 'The metadata.',
  body: resourceSchema,
  examples: {
    metadata: {
      value: {
        resource: `https://numera.example.com${path}`,
        authorization_servers: ['https://numera.example.com'],
        scopes_supported: [...appPermissions],
        bearer_methods_supported: ['header'],
        resource_name: 'Numera',
      },
    },
  },
})

const metadataDescription =
  'Named by the `WWW-Authenticate` challenge of a 401 on `/v1/*`. Says which authorization server issues tokens for ' +
  'the resource, and which permissions an app may ask for (RFC 9728).'

export const protectedResourceContract = contract({
  api: 'public',
  operationId: 'describeService',
  summary: 'Describe the service as a protected resource',
  description: metadataDescription,
  tags: ['OAuth'],
  guard: 'none',
  cors: true,
  responses: { 200: resourceAnswer('') },
})

export const protectedResourceOfPathContract = contract({
  api: 'public',
  operationId: 'describeResource',
  summary: 'Describe one path as a protected resource',
  description: `${metadataDescription} The path of the resource stands behind the well-known address.`,
  tags: ['OAuth'],
  guard: 'none',
  cors: true,
  params: Type.Object({
    '*': Type.String({ description: 'The path of the resource, such as `v1/samples`.' }),
  }),
  responses: { 200: resourceAnswer('/v1/samples') },
  errors: [{ code: 'not_found', when: 'The path is no resource of this service.' }],
})
