import { Type } from 'typebox'
import { contract } from '../../platform/http/contract.ts'
import { accessToken, appId, appIdField, basicChallenge, refreshToken, tooMany } from '../client/contract.ts'
import { oauthError, retryAfter, serverError } from '../error-contract.ts'

function resourceField(description: string) {
  return Type.Optional(Type.Array(Type.String({ format: 'uri' }), { description }))
}

const tokenSchema = Type.Object(
  {
    access_token: Type.String({
      pattern: '^nat_[0-9A-Za-z]+$',
      description: 'Send it as `Authorization: Bearer` to `/v1/*`. Looked up on every call.',
    }),
    token_type: Type.Literal('Bearer', { description: 'How it is sent.' }),
    expires_in: Type.Integer({
      minimum: 0,
      maximum: 3600,
      description:
        'Seconds that it lasts: an hour, or less if the connection ends sooner. Get a new one a minute before, and once more ' +
        'on a 401; a second 401 is final.',
    }),
    refresh_token: Type.Optional(
      Type.String({
        pattern: '^nrt_[0-9A-Za-z]+$',
        description:
          'Of an app: can be exchanged once for the next pair, as long as the connection lasts. Keep the latest one.',
      }),
    ),
    scope: Type.String({ description: 'The permissions that it opens, separated by spaces.' }),
  },
  {
    title: 'Token',
    description: 'An access token, and for an app its refresh token (RFC 6749, section 5.1).',
  },
)

const codeRequest = Type.Object(
  {
    grant_type: Type.Literal('authorization_code', {
      description: 'What is exchanged: the code that came to the redirect address.',
    }),
    client_id: appIdField,
    code: Type.String({ description: 'The code, prefix `nac_`: for 5 minutes, once.' }),
    redirect_uri: Type.String({ description: 'The address that the code was sent to, byte for byte.' }),
    code_verifier: Type.String({
      pattern: '^[A-Za-z0-9._~-]{43,128}$',
      description: 'What the `code_challenge` is the hash of (RFC 7636).',
    }),
    resource: resourceField(
      'The other servers that were requested at authorize; left out, the tokens are for this service alone (RFC 8707).',
    ),
  },
  { title: 'AuthorizationCodeRequest', description: 'A request of the authorization code grant.' },
)

const refreshRequest = Type.Object(
  {
    grant_type: Type.Literal('refresh_token', { description: 'What is exchanged: a refresh token.' }),
    client_id: appIdField,
    refresh_token: Type.String({
      description: 'The latest refresh token, prefix `nrt_`. Its second use ends all tokens of its code.',
    }),
    scope: Type.Optional(
      Type.String({
        description:
          'Fewer permissions for the access token of this answer; the next refresh token keeps all of them.',
      }),
    ),
    resource: resourceField('Fewer of the other servers for the access token of this answer.'),
  },
  { title: 'RefreshRequest', description: 'A request of the refresh token grant.' },
)

const credentialsRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials', {
      description: 'What is exchanged: id and secret, sent in HTTP Basic.',
    }),
  },
  { title: 'ClientCredentialsRequest', description: 'A request of the client credentials grant.' },
)

export const tokenContract = contract({
  api: 'public',
  operationId: 'issueToken',
  summary: 'Exchange a code, a refresh token or client credentials for an access token',
  description:
    'Get an access token, for a service connection or for an app that a member allowed.\n\n' +
    'The body is a form with one of three grants. An app that acts for a member exchanges the code of its authorization ' +
    '(`authorization_code`, with the verifier of its PKCE challenge), and later its refresh token (`refresh_token`), for ' +
    'an access token of an hour and the next refresh token. It names itself with `client_id` and has no secret. A service ' +
    'connection exchanges its client id and secret (prefix `ncs_`), sent here in HTTP Basic and nowhere else ' +
    '(`client_credentials`), for an access token of an hour; both parts are form-encoded before they are joined with a ' +
    'colon.\n\n' +
    "A code and a refresh token work once. A second use by their app ends every token of the code; the member's consent " +
    'remains. A code is used up by the attempt in which everything matches, and by no other. A repeated parameter other ' +
    'than `resource` is refused, an empty one counts as absent, unknown ones are ignored.\n\n' +
    '60 requests a minute for each client and client network, burst 20, together with those to the revoke endpoint.',
  tags: ['Delegated access'],
  guard: 'client',
  metered: true,
  cors: true,
  checkedByRoute: true,
  bodyDescription: 'A form.',
  bodies: [
    {
      mediaType: 'application/x-www-form-urlencoded',
      schema: Type.Union([codeRequest, refreshRequest, credentialsRequest]),
      examples: {
        authorization_code: {
          summary: 'A code, by an app',
          value: {
            grant_type: 'authorization_code',
            client_id: appId,
            code: 'nac_Yp2fT7hQ4zWkN9xRbM5sLd1CvJ8aUeG3iKo6tVyXnBq',
            redirect_uri: 'https://insight.example.com/callback',
            code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          },
        },
        refresh_token: {
          summary: 'A refresh token, by an app',
          value: { grant_type: 'refresh_token', client_id: appId, refresh_token: refreshToken },
        },
        client_credentials: {
          summary: 'Client credentials, by a service connection',
          value: { grant_type: 'client_credentials' },
        },
      },
    },
  ],
  responses: {
    200: {
      description: 'The token.',
      body: tokenSchema,
      examples: {
        app: {
          summary: 'A pair of an app',
          value: {
            access_token: accessToken,
            token_type: 'Bearer',
            expires_in: 3600,
            refresh_token: refreshToken,
            scope: 'company.read metrics.read',
          },
        },
        token: {
          summary: 'A token of a service connection',
          value: {
            access_token: accessToken,
            token_type: 'Bearer',
            expires_in: 3600,
            scope: 'sources.ingest metrics.read',
          },
        },
      },
    },
  },
  errorResponses: {
    400: oauthError(
      '- `invalid_request`: a parameter is missing, malformed or was given twice, the body is not a form, or a service ' +
        'connection was named in two ways.\n' +
        "- `invalid_grant`: the code or refresh token is wrong, used, expired or another app's, or its connection ended.\n" +
        '- `invalid_target`: a `resource` that the consent does not name.\n' +
        '- `invalid_scope`: a `scope` beyond what the refresh token has; it remains unused.\n' +
        '- `unsupported_grant_type`: the grant type is another one.',
      [
        ['invalid_request', 'The parameter grant_type is missing.'],
        ['invalid_grant', 'The refresh token is wrong, used or expired, or its connection ended.'],
        ['invalid_target', "The member's consent does not name this resource."],
        ['invalid_scope', 'The scope may only name permissions that the refresh token holds.'],
        [
          'unsupported_grant_type',
          'The parameter grant_type must be authorization_code, refresh_token or client_credentials.',
        ],
      ],
    ),
    401: oauthError(
      '`invalid_client`: of an app, `client_id` is missing, malformed or unknown, or a secret was sent; of a service ' +
        'connection, the id or the secret is missing or wrong, or it is unsigned, revoked or expired.',
      [['invalid_client', 'The client is unknown, or its credentials are not valid.']],
      basicChallenge,
    ),
    429: tooMany,
    500: serverError,
    503: oauthError(
      '`temporarily_unavailable`: no tokens are issued now, or the database is unavailable.',
      [['temporarily_unavailable', 'No tokens are issued now; try again later.']],
      retryAfter,
    ),
  },
})
