import { Type } from 'typebox'
import { contract } from '../../platform/http/contract.ts'
import { oauthError, retryAfter, serverError, unavailable } from '../error-contract.ts'
import { appGrantTypes, appResponseTypes } from './client-metadata.ts'

const clientName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Shown to the member on the consent page. No control or formatting characters.',
})
const redirectUris = Type.Array(Type.String({ format: 'uri', maxLength: 2000 }), {
  minItems: 1,
  maxItems: 10,
  description:
    'Where members are sent back to: https addresses without fragment, user name or password, in ASCII (a host in ' +
    'punycode). Later compared byte for byte. If the deployment allows it, also http addresses of `localhost` and the ' +
    'loopback addresses.',
})
const grantTypes = Type.Array(Type.Union(appGrantTypes.map((name) => Type.Literal(name))), {
  description: 'What the app may exchange for tokens; both by default.',
})
const responseTypes = Type.Array(Type.Union(appResponseTypes.map((name) => Type.Literal(name))), {
  description: 'What the authorize endpoint answers the app with.',
})
const authMethod = Type.Literal('none', {
  description: 'Apps are public clients: there is no secret, and PKCE with each authorization.',
})

const metadataSchema = Type.Object(
  {
    client_name: clientName,
    redirect_uris: redirectUris,
    grant_types: Type.Optional(grantTypes),
    response_types: Type.Optional(responseTypes),
    token_endpoint_auth_method: Type.Optional(authMethod),
  },
  {
    title: 'ClientMetadata',
    description:
      'What an app says of itself (RFC 7591, section 2). `jwks_uri`, `jwks`, `request_uris`, `sector_identifier_uri` and ' +
      '`software_statement` are refused; other fields are ignored.',
  },
)

const appSchema = Type.Object(
  {
    client_id: Type.String({
      pattern: '^app_[0-9A-Za-z]{22}$',
      description: 'Identifies the app at the authorize, token and revoke endpoints. It is not secret.',
    }),
    client_id_issued_at: Type.Integer({ description: 'When it was registered, in unix seconds.' }),
    client_name: clientName,
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    response_types: responseTypes,
    token_endpoint_auth_method: authMethod,
  },
  { title: 'RegisteredApp', description: 'An app as it was registered (RFC 7591, section 3.2.1).' },
)

/** Limits are checked before the body is read; errors have OAuth's own shape. */
export const registerAppContract = contract({
  api: 'public',
  operationId: 'registerApp',
  summary: 'Register an app',
  description:
    'Get a client id for an app that is to read what members allow it.\n\n' +
    'Open to anyone, without an account (RFC 7591). An unused app may be removed 30 days after its registration or last use.\n\n' +
    'Limits: 3 for each address and 10 for each network (/24, /56), each gaining one every 20 seconds, and 120 an hour ' +
    'for the whole deployment. Refused registrations count.',
  tags: ['Delegated access'],
  guard: 'none',
  metered: true,
  cors: true,
  checkedByRoute: true,
  bodyDescription: 'What the app says of itself.',
  bodies: [
    {
      mediaType: 'application/json',
      schema: metadataSchema,
      examples: {
        app: {
          summary: 'An app with one redirect address',
          value: { client_name: 'Ledger Insight', redirect_uris: ['https://insight.example.com/callback'] },
        },
      },
    },
  ],
  responses: {
    201: {
      description: 'The app.',
      body: appSchema,
      examples: {
        app: {
          summary: 'Registered',
          value: {
            client_id: 'app_4tGv0b7QxWZk1LmR8yNc2D',
            client_id_issued_at: 1768478400,
            client_name: 'Ledger Insight',
            redirect_uris: ['https://insight.example.com/callback'],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
          },
        },
      },
    },
  },
  errorResponses: {
    400: oauthError(
      '`invalid_client_metadata`: the body is not a JSON object, or a field is wrong; the description names it. ' +
        '`invalid_redirect_uri`: a redirect address is not accepted.',
      [
        [
          'invalid_client_metadata',
          'client_name is missing: it is the name of the app that members read, as text.',
        ],
        ['invalid_redirect_uri', 'redirect_uris[0] must be an https address.'],
      ],
    ),
    429: oauthError(
      '`temporarily_unavailable`: too many registrations from the address or its network, or in the whole deployment.',
      [['temporarily_unavailable', 'There were too many registrations; wait as long as Retry-After says.']],
      retryAfter,
    ),
    500: serverError,
    503: unavailable,
  },
})
