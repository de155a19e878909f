import { Type } from 'typebox'
import { contract, type Answer } from '../../platform/http/contract.ts'
import { appPermissions } from '../../people/access/app-permissions.ts'
import { retryAfter } from '../error-contract.ts'

function page(description: string, headers: Answer['headers'] = {}): Answer {
  return {
    description,
    mediaType: 'text/html',
    body: Type.String({ description: 'For the member, in English or Swedish.' }),
    headers,
    examples: { page: { summary: 'A page', value: '<!doctype html>\n<title>Numera</title>\n' } },
  }
}

export const authorizeContract = contract({
  api: 'public',
  operationId: 'authorize',
  summary: 'Ask a member for access',
  description:
    'Send a member here to decide what an app may read.\n\n' +
    'Opened in the member’s browser, with a PKCE pair for each authorization. The member signs in with an electronic ' +
    'identity, chooses what the app may read of which companies, and signs it; if nothing new is requested there is nothing ' +
    'to sign. Then the browser is sent to the redirect address with `code` (prefix `nac_`, five minutes, one use), ' +
    '`state` and `iss` (RFC 9207).\n\nErrors are sent by redirect: `error`, `error_description`, `state` and `iss`, ' +
    'where `error` is `access_denied`, `invalid_request`, `unsupported_response_type`, `invalid_scope` or ' +
    '`invalid_target`. An unknown `client_id` or an unregistered `redirect_uri` is shown to the member and never ' +
    'redirected.\n\nA parameter is given once, `resource` excepted; an empty one counts as absent, unknown ones are ignored, ' +
    '`request` and `request_uri` are refused.\n\n60 requests a minute for each client network, burst 20.',
  tags: ['Delegated access'],
  guard: 'none',
  metered: true,
  checkedByRoute: true,
  query: Type.Object({
    response_type: Type.Enum(['code'], { description: 'What is requested.' }),
    client_id: Type.String({
      description: 'From the registration of the app.',
      examples: ['app_4tGv0b7QxWZk1LmR8yNc2D'],
    }),
    redirect_uri: Type.String({
      format: 'uri',
      description: 'Exactly one of the registered addresses.',
      examples: ['https://insight.example.com/callback'],
    }),
    code_challenge: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'SHA-256 of the code verifier, in base64url without padding (RFC 7636).',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
    code_challenge_method: Type.Enum(['S256'], { description: '`plain` is refused.' }),
    state: Type.Optional(Type.String({ description: 'Returned unchanged.', examples: ['af0ifjsldkj'] })),
    scope: Type.Optional(
      Type.String({
        description: 'Permissions, separated by spaces; without it, all that an app may have are requested.',
        examples: [appPermissions.join(' ')],
      }),
    ),
    companies: Type.Optional(
      Type.String({
        description:
          'Organisation numbers that the app suggests, separated by spaces or commas, at most 100. The member chooses.',
        examples: ['556012-5790'],
      }),
    ),
    resource: Type.Optional(
      Type.Array(Type.String({ format: 'uri' }), {
        description: 'Another server for which the token is requested (RFC 8707); may repeat.',
      }),
    ),
  }),
  responses: {
    200: page('The page on which the member signs in and decides.'),
    302: {
      description: 'Back to the app, with the error of the request.',
      headers: {
        Location: {
          description: 'The redirect address, its query kept.',
          schema: Type.String({ format: 'uri' }),
          required: true,
        },
      },
    },
  },
  errorResponses: {
    400: page('No registered app of that `client_id`, or no address of its own as `redirect_uri`.'),
    429: page('Too many requests from this network.', retryAfter),
    500: page('Something went wrong inside the service.'),
    503: page('The service cannot take this now.', retryAfter),
  },
})
