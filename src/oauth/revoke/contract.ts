import { Type } from 'typebox'
import { contract } from '../../http/contract.ts'
import { appId, appIdField, basicChallenge, refreshToken, serverError, tooMany } from '../client/contract.ts'
import { oauthError, retryAfter } from '../error-contract.ts'

export const revokeContract = contract({
  api: 'public',
  operationId: 'revokeToken',
  summary: "Give up an app's tokens",
  description:
    "End an app's tokens, as when its member signs out of it.\n\n" +
    'Every token that came of the same code ends at once, whichever of them is named, a used refresh token too (RFC 7009). What the member allowed stays, so the app may ask for a new code without ' +
    'a new signature. An unknown token, and one that was revoked before, is answered alike.\n\n' +
    '60 requests a minute for each client and client network, burst 20, together with those to the token endpoint.',
  tags: ['Delegated access'],
  guard: 'none',
  metered: true,
  cors: true,
  checkedByRoute: true,
  bodyDescription: 'A form.',
  bodies: [
    {
      mediaType: 'application/x-www-form-urlencoded',
      schema: Type.Object(
        {
          client_id: appIdField,
          token: Type.String({ description: 'An access token or a refresh token.' }),
          token_type_hint: Type.Optional(Type.String({ description: 'Ignored.' })),
        },
        { title: 'RevokeRequest', description: 'A request to give up tokens.' },
      ),
      examples: {
        refresh_token: {
          summary: 'A refresh token',
          value: { client_id: appId, token: refreshToken },
        },
      },
    },
  ],
  responses: { 200: { description: 'The tokens open nothing, whether they did before or not. No body.' } },
  errorResponses: {
    400: oauthError(
      '- `invalid_request`: a parameter is missing or was given twice, or the body is not a form.\n' +
        '- `unauthorized_client`: the token was issued to another app.',
      [
        ['invalid_request', 'The parameter token is missing.'],
        ['unauthorized_client', 'The token was issued to another app.'],
      ],
    ),
    401: oauthError(
      '`invalid_client`: `client_id` is missing, no id or unknown, or a secret was sent.',
      [
        [
          'invalid_client',
          'The parameter client_id must be the id of a registered app: app_ and 22 letters and digits.',
        ],
      ],
      basicChallenge,
    ),
    429: tooMany,
    500: serverError,
    503: oauthError(
      '`temporarily_unavailable`: the database is away.',
      [['temporarily_unavailable', 'The service cannot take this now; send it again.']],
      retryAfter,
    ),
  },
})
