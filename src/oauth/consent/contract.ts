import { Type } from 'typebox'
import { appPermissions } from '../../people/access/app-permissions.ts'
import { DateTime, NoFields, Uuid } from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { languages } from '../../platform/http/requests/preferred-language.ts'
import {
  begunOrderSchema,
  OrderParams,
  orderOriginFields,
  orderProgressFields,
} from '../../people/identity/contract.ts'
import { chosenCompaniesMax } from './addition.ts'

const strict = { additionalProperties: false }

const Query = Type.String({
  maxLength: 16_384,
  description: 'The query of the page’s own address, unchanged.',
})
const Location = Type.String({ format: 'uri', description: 'Where the browser goes now.' })
const Permission = Type.Enum([...appPermissions], { description: 'What the app would read.' })
const Granted = Type.Boolean({ description: 'Whether the app has it already.' })

const QueryBody = Type.Object({ query: Query }, { ...strict, title: 'AuthorizeQuery' })
const Redirect = Type.Object(
  {
    state: Type.Enum(['redirect'], { description: 'There is nothing to decide.' }),
    location: Location,
  },
  { title: 'AuthorizeRedirect' },
)

const ownPageError = {
  code: 'invalid_argument',
  when: 'The query names no registered app, or no address of its own: the member is not sent there.',
} as const

const Question = Type.Object(
  {
    state: Type.Enum(['consent'], { description: 'The member is to decide.' }),
    app: Type.Object({
      client_id: Type.String({ description: 'The app.' }),
      client_name: Type.String({ description: 'As the app calls itself: anyone may register any name.' }),
      redirect_host: Type.String({
        description: 'The host that the member is sent to; show it with the name.',
      }),
      redirect_uri: Type.String({ format: 'uri', description: 'Where the member is sent to.' }),
    }),
    permissions: Type.Array(Type.Object({ permission: Permission, granted: Granted }), {
      description: 'What the app requests. What it does not have yet starts ticked.',
    }),
    companies: Type.Object({
      choices: Type.Array(
        Type.Object({
          company_id: Uuid('The company.'),
          orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
          name: Type.String({ description: 'Its name.' }),
          suggested: Type.Boolean({ description: 'Whether the app suggests it: then it starts ticked.' }),
          granted: Granted,
        }),
        { description: 'The companies of the member, by name.' },
      ),
      every_granted: Type.Boolean({
        description: 'Whether the app has all of them already, later ones too.',
      }),
    }),
    resources: Type.Array(
      Type.Object({
        resource: Type.String({ format: 'uri', description: 'Another server that the tokens are for.' }),
        granted: Granted,
      }),
      { description: 'They belong to the request and cannot be unticked.' },
    ),
    ends_at: DateTime('When the access ends. Adding to it does not change the end.'),
    adds: Type.Boolean({
      description: 'Whether the app has access already: then only what is new is shown and signed.',
    }),
  },
  { title: 'ConsentQuestion', description: 'What an app requests of the member.' },
)

export const requestConsentContract = sessionContract({
  operationId: 'requestConsent',
  summary: 'Read what an app requests',
  description:
    'Reads the query of the authorize page for the signed-in member. If the app requests nothing new, the answer is a redirect ' +
    'with a code; if the request is wrong, one with the error.',
  tags: ['Consent'],
  body: QueryBody,
  responses: {
    200: { description: 'A question, or where to go.', body: Type.Union([Question, Redirect]) },
  },
  errors: [ownPageError],
})

export const signConsentContract = sessionContract({
  operationId: 'signConsent',
  summary: 'Start to sign what an app is allowed',
  description:
    'What the member ticked, of what is requested and new. Signed with the electronic identity of the signed-in member. Nothing ' +
    'ticked is a refusal: the answer is a redirect.',
  tags: ['Consent'],
  metered: true,
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
              maxItems: chosenCompaniesMax,
              description: 'Those that are ticked, unless it is every one.',
            }),
          ),
        },
        { ...strict, description: 'Which companies.' },
      ),
      language: Type.Optional(
        Type.Enum([...languages], { description: 'Of the text that is signed; English by default.' }),
      ),
      ...orderOriginFields,
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
            ...begunOrderSchema.properties,
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
      when: 'The query names no app that may be answered, a permission was not requested, or a company is not theirs.',
    },
    {
      code: 'permission_denied',
      when: 'The deployment has no electronic identity that can sign.',
    },
  ],
})

export const collectConsentContract = sessionContract({
  operationId: 'collectConsent',
  summary: 'Collect the signature of a consent',
  description:
    'Call it every other second while it is pending. Once complete, the app has access, and the location has its code.',
  tags: ['Consent'],
  params: OrderParams,
  body: QueryBody,
  responses: {
    200: {
      description: 'The progress.',
      body: Type.Object(
        {
          state: Type.Enum(['pending', 'failed', 'complete'], { description: 'The state.' }),
          ...orderProgressFields,
          location: Type.Optional(Location),
        },
        { title: 'ConsentProgress' },
      ),
    },
  },
  errors: [ownPageError, { code: 'not_found', when: 'There is no such order of this member for this app.' }],
})

export const cancelConsentContract = sessionContract({
  operationId: 'cancelConsent',
  summary: 'Cancel the signature of a consent',
  description: 'Nothing is allowed; the member may decide again.',
  tags: ['Consent'],
  params: OrderParams,
  body: NoFields,
  responses: { 204: { description: 'The order is over.' } },
  errors: [{ code: 'not_found', when: 'There is no such order of this member.' }],
})

export const denyConsentContract = sessionContract({
  operationId: 'denyConsent',
  summary: 'Refuse what an app requests',
  description: 'The location tells the app `access_denied`. What it was allowed before remains.',
  tags: ['Consent'],
  body: QueryBody,
  responses: {
    200: {
      description: 'Where to go.',
      body: Type.Object({ location: Location }, { title: 'ConsentDenial' }),
    },
  },
  errors: [ownPageError],
})
