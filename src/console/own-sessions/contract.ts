import { Type } from 'typebox'
import { roles } from '../../people/access/role.ts'
import { AuditEvent } from '../../company/audit/contract.ts'
import {
  DateTime,
  Day,
  Flag,
  NoFields,
  OrNull,
  Text,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'

const Membership = Type.Object(
  {
    company_id: Uuid('The company.'),
    orgnr: Text('Organisation number as it is displayed.'),
    name: Text('Its name.'),
    time_zone: Text('IANA name; days, weeks and months are counted in it.'),
    fiscal_year_month: Whole('The month with which its fiscal year begins, from 1 to 12.'),
    role: Type.Enum([...roles], { description: 'Their role in the company.' }),
    deletes_after: OrNull(
      Day('The last day on which its deletion can be withdrawn; null unless it is to be deleted.'),
    ),
  },
  { title: 'Membership' },
)

export const showSessionContract = sessionContract({
  operationId: 'showSession',
  summary: 'Show who is signed in',
  description: 'The person, the end of the session, their companies with their current roles, and notices.',
  tags: ['Session'],
  responses: {
    200: {
      description: 'The session.',
      body: Type.Object(
        {
          member_id: Uuid('The person.'),
          name: OrNull(Text('From the electronic identity.')),
          expires_at: DateTime('When they are signed out.'),
          csrf_token: Text('To be sent as `X-CSRF-Token` with every write.'),
          identity: Type.Object({
            provider: Text('The electronic identity of this deployment.'),
            demo: Flag('Whether anyone may claim to be anyone.'),
            signs: Flag('Whether it can sign, and not only sign people in.'),
          }),
          companies: Type.Array(Membership),
          notices: Type.Array(
            Type.Object(
              { company_id: Uuid('A company that the person owns.'), event: AuditEvent },
              { title: 'Notice' },
            ),
            {
              description:
                'Events of the last 14 days that give others access, or may be a sign of it, and that the person has not dismissed: ' +
                'at most 5 per company, the oldest first.',
            },
          ),
        },
        { title: 'Session' },
      ),
    },
  },
})

export const signOutContract = sessionContract({
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session.',
  tags: ['Session'],
  // Signing out works even when a thief has used up the person's rate.
  metered: false,
  body: NoFields,
  responses: { 204: { description: 'Signed out.' } },
})

const OwnSession = Type.Object(
  {
    session_id: Uuid('The session. It is not a credential.'),
    current: Flag('Whether it is the session of this call.'),
    browser: OrNull(Text('Such as Firefox; null if unknown.')),
    system: OrNull(Text('Such as Windows or iPhone; null if unknown.')),
    network: OrNull(
      Text(
        'The network, a /24 or /56, that the person signed in from. Null with the demo’s electronic identity.',
      ),
    ),
    provider: Text('The electronic identity that the person signed in with.'),
    signed_in_at: DateTime('When the person signed in.'),
    last_active_at: DateTime('When it was last used, to the minute.'),
  },
  { title: 'OwnSession' },
)

export const listOwnSessionsContract = sessionContract({
  operationId: 'listOwnSessions',
  summary: 'List where you are signed in',
  description: 'Your sessions that have not ended, the last used first: at most 100.',
  tags: ['Session'],
  responses: {
    200: {
      description: 'The sessions.',
      body: Type.Object({ sessions: Type.Array(OwnSession) }, { title: 'OwnSessionList' }),
    },
  },
})

export const endOwnSessionContract = sessionContract({
  operationId: 'endOwnSession',
  summary: 'Sign out one of your sessions',
  description: 'From its next call.',
  tags: ['Session'],
  metered: false,
  params: Type.Object({ session_id: Uuid('The session.') }),
  body: NoFields,
  responses: { 204: { description: 'Signed out.' } },
  errors: [{ code: 'not_found', when: 'You have no such session, or it has ended.' }],
})

export const signOutEverywhereContract = sessionContract({
  operationId: 'signOutEverywhere',
  summary: 'Sign out everywhere',
  description:
    'Ends all of your sessions, including this one, but no connections or apps. Owners of your companies get a notice.',
  tags: ['Session'],
  metered: false,
  body: NoFields,
  responses: { 204: { description: 'Signed out.' } },
})
