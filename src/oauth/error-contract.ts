import { Type } from 'typebox'
import type { Answer } from '../platform/http/contract.ts'
import { oauthErrors, type OauthErrorName } from './oauth-error.ts'

const oauthErrorSchema = Type.Object(
  {
    error: Type.Union(
      Object.keys(oauthErrors).map((name) => Type.Literal(name)),
      { description: 'Short machine-readable reason. Branch on the status and this.' },
    ),
    error_description: Type.String({ description: 'One plain sentence. Do not parse it.' }),
  },
  {
    title: 'OauthError',
    description: 'The body of every error of the OAuth endpoints (RFC 6749, section 5.2).',
  },
)

/** One status of an OAuth endpoint, with an example of each of its errors. */
export function oauthError(
  description: string,
  examples: [OauthErrorName, string][],
  headers: Answer['headers'] = {},
): Answer {
  return {
    description,
    body: oauthErrorSchema,
    headers,
    examples: Object.fromEntries(
      examples.map(([error, sentence]) => [error, { value: { error, error_description: sentence } }]),
    ),
  }
}

export const retryAfter: Answer['headers'] = {
  'Retry-After': {
    description: 'Seconds to wait before sending the request again.',
    schema: Type.Integer({ minimum: 1 }),
    required: true,
  },
}

export const serverError = oauthError('`server_error`: try later.', [
  ['server_error', 'Something went wrong inside the service; send it again.'],
])

export const unavailable = oauthError(
  '`temporarily_unavailable`: the service cannot process the request now.',
  [['temporarily_unavailable', 'The service cannot take this now; send it again.']],
  retryAfter,
)
