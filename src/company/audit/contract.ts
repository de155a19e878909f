import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  Day,
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
        'The events. `member_joined`: with an invitation’s link. `signed_in`, `signed_out`, `session_ended` and ' +
        '`signed_out_everywhere`: of a person who had opened the company by then. `act_refused`: what the member may not do. ' +
        'Further ones may come.',
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
          '`company` of another company’s connection that was released; `provider`, the electronic identity, of a sign-in; `by` ' +
          'of a session that ended: `member` from another one, `provider`, or another person’s `sign_in` in the same browser; `metric` ' +
          'of a downloaded report, a note (with `period_start`) and targets (with how many `months`); `label` of saved names, with how many `names`; `view`, the name, of a saved view of the company; `link` of a read-only link, its kind; the changed limits, null for the deployment’s; `operation` of a refused act; `app`, its name, of ended access; ' +
          '`signature_id` of a deletion that was requested or scheduled, and `deletes_after` of the latter.',
      },
    ),
  },
  { title: 'AuditEvent' },
)

const auditFilter = {
  kind: Type.Optional(Type.Enum([...auditSubjectKinds], { description: 'Only what was done to these.' })),
  member: Type.Optional(Uuid('Only what this member did.')),
  from: Type.Optional(Day('Only what was last done on this day or later, in the time zone of the company.')),
  to: Type.Optional(Day('Only what was last done before this day.')),
}

export const listAuditEventsContract = sessionContract({
  operationId: 'listAuditEvents',
  summary: 'List the audit events of a company',
  description:
    'Who created, changed, paused, rotated, signed, revoked, invited, removed and downloaded what, signed in, or was refused, ' +
    'newest first: by `last_at`. Kept for 400 days from then. Needs the role `owner`.',
  tags: ['Members'],
  params: CompanyParams,
  query: Type.Object({ ...PageQuery.properties, ...auditFilter }),
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

export const downloadAuditContract = sessionContract({
  operationId: 'downloadAudit',
  summary: 'Download the audit events of a company',
  description:
    'All that pass the filter as of one moment, with the fields of the list: a line of JSON (NDJSON) for each, oldest first, by `last_at`. The ' +
    'download is itself the last. A file that was broken off is incomplete. Needs the role `owner`.',
  tags: ['Members'],
  params: CompanyParams,
  query: Type.Object(auditFilter),
  responses: {
    200: { description: 'The file.', mediaType: 'application/x-ndjson', body: Type.String() },
  },
})
