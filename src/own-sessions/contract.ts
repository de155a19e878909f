import { Type } from 'typebox'
import { roles } from '../access/role.ts'
import { AuditEvent } from '../audit/contract.ts'
import { DateTime, NoFields, OrNull, Uuid } from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'

const Membership = Type.Object(
  {
    company_id: Uuid('The company.'),
    orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
    name: Type.String({ description: 'Its name.' }),
    time_zone: Type.String({ description: 'IANA name; days, weeks and months are counted in it.' }),
    role: Type.Enum([...roles], { description: 'What the person may do there.' }),
  },
  { title: 'Membership' },
)

export const showSessionContract = contract({
  api: 'console',
  operationId: 'showSession',
  summary: 'Who is signed in',
  description:
    'The person, the end of the session, their companies with the role they have in each now, and what they should know.',
  tags: ['Session'],
  guard: 'session',
  responses: {
    200: {
      description: 'The session.',
      body: Type.Object(
        {
          member_id: Uuid('The person.'),
          name: OrNull(Type.String({ description: 'As the electronic identity says it.' })),
          expires_at: DateTime('When they are signed out.'),
          csrf_token: Type.String({
            description: 'Sent back as `X-CSRF-Token` with every write.',
          }),
          identity: Type.Object({
            provider: Type.String({ description: 'The electronic identity of this deployment.' }),
            demo: Type.Boolean({ description: 'True where anyone may claim to be anyone.' }),
            signs: Type.Boolean({ description: 'False where it only signs people in.' }),
          }),
          companies: Type.Array(Membership),
          notices: Type.Array(
            Type.Object(
              { company_id: Uuid('A company that the person owns.'), event: AuditEvent },
              { title: 'Notice' },
            ),
            {
              description:
                'What was done there in the last 14 days that gives others access, or may be a sign of it, and that the person has not ' +
                'dismissed: at most 5 of a company, the oldest first.',
            },
          ),
        },
        { title: 'Session' },
      ),
    },
  },
})

export const signOutContract = contract({
  api: 'console',
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session; its cookie opens nothing from now on.',
  tags: ['Session'],
  guard: 'session',
  // Nothing keeps a person from it, not even a thief who uses up their rate.
  metered: false,
  body: NoFields,
  responses: { 204: { description: 'Signed out.' } },
})

const OwnSession = Type.Object(
  {
    session_id: Uuid('The session. It opens nothing.'),
    current: Type.Boolean({ description: 'The one that this call is made in.' }),
    browser: OrNull(Type.String({ description: 'Such as Firefox; null for one that is not known here.' })),
    system: OrNull(
      Type.String({ description: 'Such as Windows or iPhone; null for one that is not known here.' }),
    ),
    network: OrNull(
      Type.String({
        description:
          'The network, a /24 or /56, that the person signed in from. Null with the demo’s electronic identity.',
      }),
    ),
    provider: OrNull(Type.String({ description: 'The electronic identity that the person signed in with.' })),
    signed_in_at: DateTime('When.'),
    last_active_at: DateTime('When it was last used, to the minute.'),
  },
  { title: 'OwnSession' },
)

export const listOwnSessionsContract = contract({
  api: 'console',
  operationId: 'listOwnSessions',
  summary: 'List where you are signed in',
  description: 'Your sessions that have not ended, the last used first: at most 100.',
  tags: ['Session'],
  guard: 'session',
  responses: {
    200: {
      description: 'The sessions.',
      body: Type.Object({ sessions: Type.Array(OwnSession) }, { title: 'OwnSessionList' }),
    },
  },
})

export const endOwnSessionContract = contract({
  api: 'console',
  operationId: 'endOwnSession',
  summary: 'Sign out one of your sessions',
  description: 'From its next call on it opens nothing.',
  tags: ['Session'],
  guard: 'session',
  metered: false,
  params: Type.Object({ session_id: Uuid('The session.') }),
  body: NoFields,
  responses: { 204: { description: 'Signed out.' } },
  errors: [{ code: 'not_found', when: 'You have no such session, or it has ended.' }],
})

export const signOutEverywhereContract = contract({
  api: 'console',
  operationId: 'signOutEverywhere',
  summary: 'Sign out everywhere',
  description:
    'Ends all of your sessions, this one too. Connections and apps are left as they are. Owners of your companies get a notice.',
  tags: ['Session'],
  guard: 'session',
  metered: false,
  body: NoFields,
  responses: { 204: { description: 'Signed out.' } },
})
