import { Type } from 'typebox'
import { contract } from '../../platform/http/contract.ts'
import { appId, appIdField, basicChallenge, refreshToken, tooMany } from '../client/contract.ts'
import { oauthError, serverError, unavailable } from '../error-contract.ts'

export const revokeContract = contract({
  api: 'public',
  operationId: 'revokeToken',
  summary: "Give up an app's tokens",
  description:
    "End an app's tokens, as when its member signs out of it.\n\n" +
    'Every token of the same code ends, whichever of them is named, even a used refresh token (RFC 7009). What the member allowed ' +
    'remains, so the app may request a new code without a new signature. The answer is the same for an unknown token, and for ' +
    'one that was revoked before.\n\n' +
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
  responses: { 200: { description: 'The tokens open nothing now. No body.' } },
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
      '`invalid_client`: `client_id` is missing, malformed or unknown, or a secret was sent.',
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
    503: unavailable,
  },
})
