import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  Flag,
  ListPage,
  NextCursor,
  NoFields,
  OrNull,
  PageQuery,
  Text,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { appPermissions } from '../../people/access/app-permissions.ts'

const companyNameSchema = Type.Object(
  {
    company_id: Uuid('The company.'),
    orgnr: Text('Organisation number as it is displayed.'),
    name: Text('Its name.'),
  },
  { title: 'CompanyName' },
)

const appConnectionSchema = Type.Object(
  {
    connection_id: Uuid('What you allowed the app, from your first signature on.'),
    member_id: Uuid('You.'),
    client_id: Text('The app, as it is registered.'),
    client_name: Text('Its name, as you saw it when you signed. Apps choose their own names.'),
    redirect_host: Text('The host that it came back to when you signed.'),
    state: Type.Enum(['active', 'ended'], { description: '`ended`: it no longer works.' }),
    permissions: Type.Array(Type.Enum([...appPermissions]), { description: 'What it may read.' }),
    companies: Type.Object(
      {
        every: Flag('All companies that you are a member of at the time of a call, including later ones.'),
        chosen: Type.Array(companyNameSchema, {
          description: 'By name; empty if it is every one. It cannot read a company that you have left.',
        }),
      },
      { description: 'Which companies it may read.' },
    ),
    resources: Type.Array(Type.String(), { description: 'Other servers that also accept its tokens.' }),
    consented_at: DateTime('When you first signed it.'),
    expires_at: DateTime('90 days later. Adding to it does not extend it.'),
    ended_at: OrNull(DateTime('When it ended; null while it is active.')),
    ended_by: OrNull(
      Type.Enum(['member', 'operator', 'expiry'], {
        description:
          '`member`: you. `operator`: the operator of this service. `expiry`: its 90 days were over.',
      }),
    ),
    last_called_at: OrNull(DateTime('Its last recorded call, a few seconds late; null if there is none.')),
  },
  { title: 'AppConnection' },
)

const AppConnectionParams = Type.Object({ connection_id: Uuid('The connection.') })
const own = 'Only yours: another member’s is 404.'

export const listAppConnectionsContract = sessionContract({
  operationId: 'listAppConnections',
  summary: 'List the apps that act for you',
  description: 'What you have allowed apps, newest first, including what has ended.',
  tags: ['Apps'],
  query: PageQuery,
  responses: {
    200: {
      description: 'The apps.',
      body: ListPage('apps', appConnectionSchema, 'AppConnectionList'),
    },
  },
})

export const endAppConnectionContract = sessionContract({
  operationId: 'endAppConnection',
  summary: 'End what an app may do for you',
  description: `For good: every token of the app stops on its next call. Repeating it changes nothing. ${own}`,
  tags: ['Apps'],
  params: AppConnectionParams,
  body: NoFields,
  responses: { 200: { description: 'The connection.', body: appConnectionSchema } },
  errors: [{ code: 'not_found', when: 'You have no such connection.' }],
})

export const listAppCallsContract = sessionContract({
  operationId: 'listAppCalls',
  summary: 'List what an app has called',
  description:
    'Each answered call, including refused ones, newest first. A call appears a few seconds after its answer, and is ' +
    `kept for 400 days. ${own}`,
  tags: ['Apps'],
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
                method: Text('The HTTP method.'),
                path: Text('Without the query.'),
                status: Whole('The status of the answer.'),
                code: OrNull(Text('The error code; null for a success.')),
                called_at: DateTime('When it was called.'),
              },
              {
                title: 'AppCall',
                description: '`company` is null if the call was not about one that the app may read.',
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

export const listAppsOfCompanyContract = sessionContract({
  operationId: 'listAppsOfCompany',
  summary: 'List the apps that may read a company',
  description:
    'What its members have allowed apps and has not ended, newest first. An app loses the ' +
    'company with that member’s membership. Needs the role `owner`.',
  tags: ['Apps'],
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
                client_id: Text('The app, as it is registered.'),
                client_name: Text('Its name, as the member saw it. Apps choose their own names.'),
                redirect_host: Text('The host that it came back to when the member signed.'),
                member: Type.Object(
                  {
                    member_id: Uuid('The member.'),
                    name: OrNull(Text('Their name.')),
                  },
                  { description: 'Who allowed it.' },
                ),
                permissions: Type.Array(Type.Enum([...appPermissions]), { description: 'What it may read.' }),
                every_company: Flag('Whether the member allowed all their companies, including later ones.'),
                consented_at: DateTime('When the member first signed it.'),
                expires_at: DateTime('When it expires.'),
                last_called_at: OrNull(
                  DateTime(
                    'Its last call about this company, a few seconds late; null if there is none among its latest 1,000 calls.',
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

export const endAppOfCompanyContract = sessionContract({
  operationId: 'endAppOfCompany',
  summary: 'End an app’s access to a company',
  description:
    'The app keeps what the member allowed it of other companies: where that was every company, those that the member has ' +
    'opened by now. The member may allow it again. Needs the role `owner`.',
  tags: ['Apps'],
  params: Type.Object({
    company_id: Uuid('The company.'),
    connection_id: Uuid('What a member allowed the app.'),
  }),
  body: NoFields,
  responses: { 204: { description: 'It has ended.' } },
  errors: [{ code: 'not_found', when: 'No such app may read the company.' }],
})
