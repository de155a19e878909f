import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  NextCursor,
  OrNull,
  PageQuery,
  Uuid,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { auditActions, auditSubjectKinds } from './audit-event.ts'

export const AuditEvent = Type.Object(
  {
    event_id: Uuid('The event. One that is repeated gets another id.'),
    at: DateTime('When it was done; the first time, if it was repeated.'),
    count: Type.Integer({
      description:
        'How often the same member did the same thing, each time within an hour of the one before. 1 if it ' +
        'was done once.',
    }),
    last_at: DateTime('The last time; equals `at` if it was done once.'),
    member: OrNull(
      Type.Object(
        {
          member_id: Uuid('Who did it.'),
          name: OrNull(Type.String({ description: 'Their name.' })),
          is_member: Type.Boolean({ description: 'False if they have left the company since.' }),
        },
        { description: 'Null for the operator of this service.' },
      ),
    ),
    action: Type.Enum([...auditActions], {
      description:
        'The events. `member_joined`: with an invitation’s link. `signed_out_everywhere`: all sessions of the member. Further ones may come.',
    }),
    subject: Type.Object({
      kind: Type.Enum([...auditSubjectKinds], { description: 'What it was done to.' }),
      id: Uuid('Its id; for a member who joined, theirs.'),
      name: OrNull(
        Type.String({
          description: 'Its name at that time; a member’s present name, null if unknown.',
        }),
      ),
    }),
    details: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
      {
        description:
          'Details of the action: `role` and, of a change, `previous_role`; `overlap_hours` of a rotation; ' +
          '`shape_version` and `rebuilds` of a saved version; `reason` of a pause; `kind` of a connection that was created or ' +
          'signed, then with `signature_id`; `invitation_id` of a member who joined; ' +
          '`company` of another company’s connection that was released; `signature_id` of a deletion that was requested or ' +
          'scheduled, and `deletes_after` of the latter.',
      },
    ),
  },
  { title: 'AuditEvent' },
)

export const listAuditEventsContract = sessionContract({
  operationId: 'listAuditEvents',
  summary: 'List the audit events of a company',
  description:
    'Who created, changed, paused, rotated, signed, revoked, invited and removed what, newest first: by `last_at`. Kept for 400 days ' +
    'from then. Needs the role `owner`.',
  tags: ['Members'],
  params: CompanyParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The events.',
      body: Type.Object(
        { events: Type.Array(AuditEvent), next_cursor: NextCursor },
        { title: 'AuditEventList' },
      ),
    },
  },
})
