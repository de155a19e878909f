import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  NextCursor,
  NoFields,
  OrNull,
  PageQuery,
  Uuid,
} from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'
import { appPermissions } from '../access/app-permissions.ts'
import { appConnectionStates, endedByWords } from './app-connection.ts'

const companyNameSchema = Type.Object(
  {
    company_id: Uuid('The company.'),
    orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
    name: Type.String({ description: 'Its name.' }),
  },
  { title: 'CompanyName' },
)

const appConnectionSchema = Type.Object(
  {
    connection_id: Uuid('What you allowed the app, from your first signature on.'),
    client_id: Type.String({ description: 'The app, as it is registered.' }),
    client_name: Type.String({
      description: 'Its name, as you saw it when you signed. Apps name themselves.',
    }),
    redirect_host: Type.String({ description: 'The host that it came back to when you signed.' }),
    state: Type.Enum([...appConnectionStates], { description: '`ended`: it opens nothing any more.' }),
    permissions: Type.Array(Type.Enum([...appPermissions]), { description: 'What it may read.' }),
    companies: Type.Object(
      {
        every: Type.Boolean({
          description: 'All companies that you are a member of at the time of its call, later ones too.',
        }),
        chosen: Type.Array(companyNameSchema, {
          description: 'By name; empty where it is every one. One that you leave it cannot read.',
        }),
      },
      { description: 'Which companies it may read.' },
    ),
    resources: Type.Array(Type.String(), { description: 'Other servers that its tokens are for as well.' }),
    consented_at: DateTime('When you first signed it.'),
    expires_at: DateTime('90 days later. Adding to it moves no end.'),
    ended_at: OrNull(DateTime('When it ended; null while it is active.')),
    ended_by: OrNull(
      Type.Enum([...endedByWords], {
        description: '`member`: you. `operator`: whoever runs this service. `expiry`: its 90 days were over.',
      }),
    ),
    last_called_at: OrNull(
      DateTime('Its last call that is on record: a few seconds late, and null where there is none.'),
    ),
  },
  { title: 'AppConnection' },
)

const AppConnectionParams = Type.Object({ connection_id: Uuid('The connection.') })
const own = 'Yours only: another member’s is 404.'

export const listAppConnectionsContract = contract({
  api: 'console',
  operationId: 'listAppConnections',
  summary: 'List the apps that act for you',
  description: 'What you have allowed apps, newest first, what has ended too.',
  tags: ['Apps'],
  guard: 'session',
  query: PageQuery,
  responses: {
    200: {
      description: 'The apps.',
      body: Type.Object(
        { apps: Type.Array(appConnectionSchema), next_cursor: NextCursor },
        { title: 'AppConnectionList' },
      ),
    },
  },
})

export const endAppConnectionContract = contract({
  api: 'console',
  operationId: 'endAppConnection',
  summary: 'End what an app may do for you',
  description: `For good: every token of the app stops on its next call. Ending what has ended changes nothing. ${own}`,
  tags: ['Apps'],
  guard: 'session',
  params: AppConnectionParams,
  body: NoFields,
  responses: { 200: { description: 'The connection.', body: appConnectionSchema } },
  errors: [{ code: 'not_found', when: 'You have no such connection.' }],
})

export const listAppCallsContract = contract({
  api: 'console',
  operationId: 'listAppCalls',
  summary: 'List what an app has called',
  description:
    'Each call that was answered, refused ones too, newest first. A call is here a few seconds after its answer, and is ' +
    `kept for 400 days. ${own}`,
  tags: ['Apps'],
  guard: 'session',
  params: AppConnectionParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The calls.',
      body: Type.Object(
        {
          calls: Type.Array(
            Type.Object(
              {
                call_id: Uuid('The call.'),
                company: OrNull(companyNameSchema),
                method: Type.String({ description: 'Such as `GET`.' }),
                path: Type.String({ description: 'Without the query.' }),
                status: Type.Integer({ description: 'Of the answer.' }),
                code: OrNull(Type.String({ description: 'Of the error; null for a success.' })),
                called_at: DateTime('When.'),
              },
              {
                title: 'AppCall',
                description:
                  '`company` is null where the call was about none, or about none that it may read.',
              },
            ),
          ),
          next_cursor: NextCursor,
        },
        { title: 'AppCallList' },
      ),
    },
  },
  errors: [{ code: 'not_found', when: 'You have no such connection.' }],
})

export const listAppsOfCompanyContract = contract({
  api: 'console',
  operationId: 'listAppsOfCompany',
  summary: 'List the apps that may read a company',
  description:
    'What its members have allowed apps and has not ended, newest first. Who allowed it ends it; an app loses the company ' +
    'with the membership of who allowed it. Needs the role `owner`.',
  tags: ['Apps'],
  guard: 'session',
  params: CompanyParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The apps.',
      body: Type.Object(
        {
          apps: Type.Array(
            Type.Object(
              {
                connection_id: Uuid('What the member allowed the app.'),
                client_id: Type.String({ description: 'The app, as it is registered.' }),
                client_name: Type.String({
                  description: 'Its name, as the member saw it. Apps name themselves.',
                }),
                redirect_host: Type.String({
                  description: 'The host that it came back to when the member signed.',
                }),
                member: Type.Object(
                  {
                    member_id: Uuid('The member.'),
                    name: OrNull(Type.String({ description: 'Their name.' })),
                  },
                  { description: 'For whom it reads.' },
                ),
                permissions: Type.Array(Type.Enum([...appPermissions]), { description: 'What it may read.' }),
                every_company: Type.Boolean({
                  description: 'True where the member allowed all companies of theirs, later ones too.',
                }),
                consented_at: DateTime('When the member first signed it.'),
                expires_at: DateTime('When it ends by itself.'),
                last_called_at: OrNull(
                  DateTime(
                    'Its last call about this company, a few seconds late; null where there is none among its latest 1,000 calls.',
                  ),
                ),
              },
              { title: 'CompanyApp' },
            ),
          ),
          next_cursor: NextCursor,
        },
        { title: 'CompanyAppList' },
      ),
    },
  },
})
