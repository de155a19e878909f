/** What the contracts of the token and the revoke endpoint have in common. */
import { Type } from 'typebox'
import type { Answer } from '../../platform/http/contract.ts'
import { oauthError, retryAfter } from '../error-contract.ts'

export const appIdField = Type.String({
  pattern: '^app_[0-9A-Za-z]{22}$',
  description: 'The id of the app, from its registration. An app has no secret.',
})

export const appId = 'app_4tGv0b7QxWZk1LmR8yNc2D'
export const accessToken = 'nat_Zk3vN8qTf1YxWb6RmD0sLc9HpJ4aUeG7iKo2tVyQnBz'
export const refreshToken = 'nrt_q8ZcK1wT5bXnY0dRmE7sLf3HpJ6aUvG2iWo9tVyQkNz'

export const tooMany = oauthError(
  '`temporarily_unavailable`: too many requests of this client from this network.',
  [['temporarily_unavailable', 'There were too many requests; wait as long as Retry-After says.']],
  retryAfter,
)
export const basicChallenge: Answer['headers'] = {
  'WWW-Authenticate': {
    description: 'Names the Basic scheme; present where `Authorization` was used.',
    schema: Type.String(),
  },
}
