import { Type } from 'typebox'
import { contract } from '../../../platform/http/contract.ts'

const elsewhere = { code: 'not_found', when: 'This deployment signs people in by other means.' } as const

export const answerSignInContract = contract({
  api: 'console',
  operationId: 'answerSignIn',
  summary: 'Return from the OpenID Connect provider',
  description:
    'Where the provider sends the person’s browser with its answer (`redirect_uri`). The answer is accepted once, in the ' +
    'browser that began; the page that began collects the outcome. Errors are shown on a page.',
  tags: ['OpenID Connect'],
  guard: 'none',
  query: Type.Object({
    state: Type.Optional(Type.String({ description: 'Of the request.' })),
    code: Type.Optional(Type.String({ description: 'What the person’s claims are exchanged for.' })),
    iss: Type.Optional(Type.String({ description: 'Who answers (RFC 9207).' })),
    error: Type.Optional(Type.String({ description: 'Why there is no code.' })),
  }),
  checkedByRoute: true,
  responses: {
    303: {
      description: 'To the page that began; to that for signing in if this browser has no such order.',
      headers: { Location: { description: 'An address of this service.', schema: Type.String() } },
    },
  },
  errors: [elsewhere],
})

const LogoutBody = Type.Object(
  { logout_token: Type.String({ description: 'Signed by the provider.' }) },
  { title: 'LogoutBody' },
)

export const backChannelLogoutContract = contract({
  api: 'console',
  operationId: 'endSessionsOfProvider',
  summary: 'End sessions that the OpenID Connect provider has ended',
  description:
    'Back-channel logout (OpenID Connect Back-Channel Logout 1.0): ends the sessions of the sign-in that the token names, or of ' +
    'the person. Each token is accepted once.',
  tags: ['OpenID Connect'],
  guard: 'none',
  metered: true,
  bodies: [{ mediaType: 'application/x-www-form-urlencoded', schema: LogoutBody }],
  responses: { 200: { description: 'The sessions have ended, or there were none.' } },
  errors: [{ code: 'invalid_argument', when: 'The token does not hold, or was used before.' }, elsewhere],
})
