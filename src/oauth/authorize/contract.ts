import { Type } from 'typebox'
import { Instant, NoFields, Uuid } from '../../http/console-schemas.ts'
import { contract, type Answer } from '../../http/contract.ts'
import { languages } from '../../http/preferred-language.ts'
import { BegunOrder, OrderParams, orderProgressFields } from '../../identity/contract.ts'
import { appPermissions } from '../../access/app-permissions.ts'
import { retryAfter } from '../error-contract.ts'
import { companiesMax } from '../../consent/choice.ts'

const page = (description: string, headers: Answer['headers'] = {}): Answer => ({
  description,
  mediaType: 'text/html',
  body: Type.String({ description: 'For the member, in English or Swedish.' }),
  headers,
})

/** Everything about the query is read by the route, in the order that the specification lays down. */
export const authorizeContract = contract({
  api: 'public',
  operationId: 'authorize',
  summary: 'Ask a member for access',
  description:
    'Opened in the member’s browser, with a PKCE pair for each authorization. The member signs in with an electronic ' +
    'identity, chooses what the app may read of which companies, and signs it; with nothing new to allow there is nothing ' +
    'to sign. Then the browser is sent to the redirect address with `code` (prefix `nac_`, five minutes, one use), ' +
    '`state` and `iss` (RFC 9207).\n\nWhat is wrong is told by redirect: `error`, `error_description`, `state` and `iss`, ' +
    'where `error` is `access_denied`, `invalid_request`, `unsupported_response_type`, `invalid_scope` or ' +
    '`invalid_target`. An unknown `client_id` or an unregistered `redirect_uri` is told to the member and never ' +
    'redirected.\n\nA parameter is given once, `resource` excepted; an empty one counts as absent, unknown ones are ignored, ' +
    '`request` and `request_uri` are refused.\n\n60 requests a minute for each client network, burst 20.',
  tags: ['OAuth'],
  guard: 'none',
  metered: true,
  checkedByRoute: true,
  query: Type.Object({
    response_type: Type.Enum(['code'], { description: 'What is asked for.' }),
    client_id: Type.String({ description: 'From the registration of the app.' }),
    redirect_uri: Type.String({ format: 'uri', description: 'Exactly one of the registered addresses.' }),
    code_challenge: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'SHA-256 of the code verifier, in base64url without padding (RFC 7636).',
    }),
    code_challenge_method: Type.Enum(['S256'], { description: '`plain` is refused.' }),
    state: Type.Optional(Type.String({ description: 'Returned unchanged.' })),
    scope: Type.Optional(
      Type.String({
        description:
          'Permissions, separated by spaces; without it, every one that an app may hold is asked for.',
        examples: [appPermissions.join(' ')],
      }),
    ),
    companies: Type.Optional(
      Type.String({
        description:
          'Organisation numbers that the app suggests, separated by spaces or commas, at most 100. The member picks.',
        examples: ['556012-5790'],
      }),
    ),
    resource: Type.Optional(
      Type.Array(Type.String({ format: 'uri' }), {
        description: 'Another server that the token is to be for as well (RFC 8707); may repeat.',
      }),
    ),
  }),
  responses: {
    200: page('The page on which the member signs in and decides.'),
    302: {
      description: 'Back to the app, with what is wrong about the request.',
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

const strict = { additionalProperties: false }

const Query = Type.String({
  maxLength: 16_384,
  description: 'The query of the page’s own address, as it stands there.',
})
const Location = Type.String({ format: 'uri', description: 'Where the browser goes now.' })
const Permission = Type.Enum([...appPermissions], { description: 'What the app would read.' })
const Held = Type.Boolean({ description: 'Whether the app is allowed it already.' })

const QueryBody = Type.Object({ query: Query }, { ...strict, title: 'AuthorizeQuery' })
const Redirect = Type.Object(
  {
    state: Type.Enum(['redirect'], { description: 'There is nothing to ask the member.' }),
    location: Location,
  },
  { title: 'AuthorizeRedirect' },
)

const csrfHeader = Type.Object({
  'x-csrf-token': Type.Optional(
    Type.String({ description: '`csrf_token` of the session; without it nothing is done.' }),
  ),
})
const needsCsrfToken = { code: 'permission_denied', when: 'The CSRF token is missing or wrong.' } as const
const ownPageError = {
  code: 'invalid_argument',
  when: 'The query names no registered app, or no address of its own: nobody is sent there.',
} as const

const Question = Type.Object(
  {
    state: Type.Enum(['consent'], { description: 'The member is to decide.' }),
    app: Type.Object({
      client_id: Type.String({ description: 'The app.' }),
      client_name: Type.String({ description: 'As the app calls itself: anybody may register any name.' }),
      redirect_host: Type.String({
        description: 'The host that the member is sent to; to be shown with the name.',
      }),
      redirect_uri: Type.String({ format: 'uri', description: 'Where the member is sent to.' }),
    }),
    permissions: Type.Array(Type.Object({ permission: Permission, held: Held }), {
      description: 'What the app asks for. What it does not hold yet starts ticked.',
    }),
    companies: Type.Object({
      choices: Type.Array(
        Type.Object({
          company_id: Uuid('The company.'),
          orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
          name: Type.String({ description: 'Its name.' }),
          suggested: Type.Boolean({ description: 'The app suggests it: it starts ticked.' }),
          held: Held,
        }),
        { description: 'The companies of the member, by name.' },
      ),
      every_held: Type.Boolean({ description: 'The app is allowed all of them already, later ones too.' }),
    }),
    resources: Type.Array(
      Type.Object({
        resource: Type.String({ format: 'uri', description: 'Another server that the tokens are for.' }),
        held: Held,
      }),
      { description: 'They belong to what is asked and cannot be unticked.' },
    ),
    ends_at: Instant('When the access ends. Adding to it does not move the end.'),
    adds: Type.Boolean({
      description: 'True where the app has access already: then only what is new is shown and signed.',
    }),
  },
  { title: 'ConsentQuestion', description: 'What an app asks the member for.' },
)

export const askForConsentContract = contract({
  api: 'console',
  operationId: 'askForConsent',
  summary: 'Read what an app asks for',
  description:
    'Reads the query of the authorize page once more, for the signed-in member. Where the app asks for nothing new, the ' +
    'answer is a redirect that carries a code; where the request is wrong, one that says so.',
  tags: ['Consent'],
  guard: 'session',
  headers: csrfHeader,
  body: QueryBody,
  responses: {
    200: { description: 'A question, or where to go.', body: Type.Union([Question, Redirect]) },
  },
  errors: [needsCsrfToken, ownPageError],
})

export const signConsentContract = contract({
  api: 'console',
  operationId: 'signConsent',
  summary: 'Begin to sign what an app is allowed',
  description:
    'What the member ticked: of what is asked and not held yet. Signed with the electronic identity of the signed-in ' +
    'member. Nothing ticked is a refusal, which the app is told.',
  tags: ['Consent'],
  guard: 'session',
  headers: csrfHeader,
  body: Type.Object(
    {
      query: Query,
      permissions: Type.Array(Permission, {
        maxItems: appPermissions.length,
        description: 'Those that are ticked.',
      }),
      companies: Type.Object(
        {
          every: Type.Boolean({ description: 'All companies of the member, later ones too.' }),
          company_ids: Type.Optional(
            Type.Array(Uuid('A company.'), {
              maxItems: companiesMax,
              description: 'Those that are ticked, where it is not every one.',
            }),
          ),
        },
        { ...strict, description: 'Which companies.' },
      ),
      language: Type.Optional(
        Type.Enum([...languages], { description: 'Of the text that is signed; English unless said.' }),
      ),
    },
    { ...strict, title: 'ConsentChoice' },
  ),
  responses: {
    200: {
      description: 'The order, or where to go.',
      body: Type.Union([
        Type.Object(
          {
            state: Type.Enum(['signing'], { description: 'The member is to sign.' }),
            ...BegunOrder.properties,
          },
          { title: 'ConsentSigning' },
        ),
        Redirect,
      ]),
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when: 'The query names no app that may be answered, a permission was not asked for, or a company is none of theirs.',
    },
    {
      code: 'permission_denied',
      when: 'The CSRF token is missing or wrong, or the deployment has no electronic identity that can sign.',
    },
  ],
})

export const collectConsentContract = contract({
  api: 'console',
  operationId: 'collectConsent',
  summary: 'Ask how the signature of a consent stands',
  description:
    'Ask every other second while it is pending. Once complete, the app has access, and the location carries its code.',
  tags: ['Consent'],
  guard: 'session',
  headers: csrfHeader,
  params: OrderParams,
  body: QueryBody,
  responses: {
    200: {
      description: 'How it stands.',
      body: Type.Object(
        {
          state: Type.Enum(['pending', 'failed', 'complete'], { description: 'Where it is.' }),
          ...orderProgressFields,
          location: Type.Optional(Location),
        },
        { title: 'ConsentProgress' },
      ),
    },
  },
  errors: [
    needsCsrfToken,
    ownPageError,
    { code: 'not_found', when: 'There is no such order of this member for this app.' },
  ],
})

export const cancelConsentContract = contract({
  api: 'console',
  operationId: 'cancelConsent',
  summary: 'Give up the signature of a consent',
  description: 'Nothing is allowed; the member may decide anew.',
  tags: ['Consent'],
  guard: 'session',
  headers: csrfHeader,
  params: OrderParams,
  body: NoFields,
  responses: { 204: { description: 'It is over.' } },
  errors: [needsCsrfToken, { code: 'not_found', when: 'There is no such order of this member.' }],
})

export const denyConsentContract = contract({
  api: 'console',
  operationId: 'denyConsent',
  summary: 'Refuse what an app asks for',
  description: 'The location tells the app `access_denied`. What it was allowed before stays.',
  tags: ['Consent'],
  guard: 'session',
  headers: csrfHeader,
  body: QueryBody,
  responses: {
    200: {
      description: 'Where to go.',
      body: Type.Object({ location: Location }, { title: 'ConsentDenial' }),
    },
  },
  errors: [needsCsrfToken, ownPageError],
})
