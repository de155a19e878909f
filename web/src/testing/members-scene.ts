import type { Replies } from './api-stub.ts'
import { exampleCompany, exampleSession } from './examples.ts'

export const ekeby = exampleCompany()
export const at = (path: string): string => `/companies/${ekeby.company_id}${path}`
export const olivia = {
  member_id: 'member-1',
  name: 'Olivia Ägare',
  label: null,
  role: 'owner' as const,
  added_by: null,
  added_at: '2026-01-02T08:00:00Z',
  last_sign_in_at: '2026-11-20T08:00:00Z',
  signed_connections: 0,
}
export const johan = {
  ...olivia,
  member_id: 'member-2',
  name: 'Johan Berg',
  role: 'developer' as const,
  signed_connections: 2,
}
export const auditor = {
  ...olivia,
  member_id: 'member-3',
  name: null,
  label: 'The auditor',
  role: 'reader' as const,
}
export const link = {
  invitation_id: 'invitation-1',
  role: 'reader' as const,
  label: null,
  created_by: { member_id: 'member-1', name: 'Olivia Ägare' },
  created_at: '2026-11-19T08:00:00Z',
  expires_at: '2026-11-26T08:00:00Z',
}

export const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby] }),
  'GET /console/companies/{company_id}/members': () => ({
    members: [olivia, johan, auditor],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/invitations': () => ({ invitations: [link], next_cursor: null }),
  'GET /console/companies/{company_id}/apps': () => ({ apps: [], next_cursor: null }),
  'GET /console/companies/{company_id}/audit': () => ({
    events: [
      {
        event_id: 'event-2',
        at: '2026-11-20T09:00:00Z',
        count: 37,
        last_at: '2026-11-20T10:30:00Z',
        member: { member_id: olivia.member_id, name: olivia.name, is_member: true },
        action: 'source_paused',
        subject: { kind: 'source', id: 'source-1', name: 'Web shop' },
        details: {},
      },
      {
        event_id: 'event-1',
        at: '2026-11-19T09:00:00Z',
        count: 1,
        last_at: '2026-11-19T09:00:00Z',
        member: { member_id: 'member-9', name: 'Sara Nyström', is_member: false },
        action: 'member_role_changed',
        subject: { kind: 'member', id: 'member-2', name: 'Johan Berg' },
        details: { role: 'developer', previous_role: 'reader' },
      },
    ],
    next_cursor: null,
  }),
}
