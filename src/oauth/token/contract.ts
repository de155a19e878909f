import { Type } from 'typebox'
import { contract } from '../../http/contract.ts'
import { oauthError, retryAfter } from '../error-answers.ts'

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
        'Seconds that it lasts: an hour, or less when the connection ends sooner. Ask for a new one a minute before, ' +
        'and once more on a 401; a second 401 is final.',
    }),
    scope: Type.String({ description: 'The permissions of the connection, separated by spaces.' }),
  },
  { title: 'Token', description: 'An access token (RFC 6749, section 5.1).' },
)

/** Form and client are read by the route, which answers in OAuth's own shape. */
export const tokenContract = contract({
  api: 'public',
  operationId: 'issueToken',
  summary: 'Trade client id and secret for an access token',
  description:
    'The preferred way of a service connection: its client id and secret (prefix `ncs_`) are sent here, in HTTP Basic, ' +
    'and nowhere else; the token that comes back opens `/v1/*` for an hour. Both parts are form-encoded before they ' +
    'are joined with a colon. A repeated parameter is refused, an empty one counts as absent, unknown ones are ' +
    'ignored.\n\n60 requests a minute for each client and client network, burst 20.',
  tags: ['OAuth'],
  guard: 'client',
  metered: true,
  cors: true,
  checkedByRoute: true,
  bodyDescription: 'A form.',
  bodies: [
    {
      mediaType: 'application/x-www-form-urlencoded',
      schema: Type.Object(
        {
          grant_type: Type.Literal('client_credentials', {
            description: 'What is traded: the credentials of a service connection.',
          }),
        },
        { title: 'ClientCredentialsRequest', description: 'A request of the client credentials grant.' },
      ),
      examples: {
        client_credentials: { summary: 'Client credentials', value: { grant_type: 'client_credentials' } },
      },
    },
  ],
  responses: {
    200: {
      description: 'The token.',
      body: tokenSchema,
      examples: {
        token: {
          summary: 'A token of an hour',
          value: {
            access_token: 'nat_Zk3vN8qTf1YxWb6RmD0sLc9HpJ4aUeG7iKo2tVyQnBz',
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
      '`invalid_request`: a parameter is missing or was given twice, the body is not a form, or the client was named ' +
        'in two ways. `unsupported_grant_type`: the grant type is another one.',
      [
        ['invalid_request', 'The parameter grant_type is missing.'],
        ['unsupported_grant_type', 'Use client_credentials.'],
      ],
    ),
    401: oauthError(
      '`invalid_client`: the id or the secret is missing or wrong, or the connection is unsigned, revoked or expired.',
      [['invalid_client', 'The client is unknown, or its credentials are not valid.']],
      {
        'WWW-Authenticate': {
          description: 'Names the Basic scheme; present where `Authorization` was used.',
          schema: Type.String(),
        },
      },
    ),
    429: oauthError(
      '`temporarily_unavailable`: too many requests of this client from this network.',
      [['temporarily_unavailable', 'There were too many requests; wait as long as Retry-After says.']],
      retryAfter,
    ),
    500: oauthError('`server_error`: try later.', [
      ['server_error', 'Something went wrong inside the service; send it again.'],
    ]),
    503: oauthError(
      '`temporarily_unavailable`: no tokens are issued now.',
      [['temporarily_unavailable', 'The service cannot take this now; send it again.']],
      retryAfter,
    ),
  },
})
