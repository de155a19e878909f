import type { Page } from 'playwright-core'
import type { Replies } from './api-stub.ts'
import { exampleReportList } from './example-reports.ts'
import { exampleCompany, exampleConnection, exampleSession, exampleSource } from './examples.ts'

export const ekeby = exampleCompany({ role: 'developer' })
export const norrsken = exampleCompany({
  company_id: '01900000-0000-7000-8000-000000000002',
  orgnr: '559999-0024',
  name: 'Norrsken Kaffe AB',
  role: 'reader',
})
export const readMembership = 'GET /console/companies/{company_id}/membership'
export const leave = 'DELETE /console/companies/{company_id}/members/{member_id}'

export function membership(
  given: { role?: 'owner' | 'developer' | 'reader'; signed?: number; last?: boolean } = {},
) {
  return {
    role: given.role ?? ('developer' as const),
    added_at: '2026-01-02T08:00:00Z',
    signed_connections: given.signed ?? 0,
    last_owner: given.last ?? false,
  }
}

export const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby, norrsken] }),
  'GET /console/companies': () => ({
    companies: [ekeby, norrsken].map((company) => ({
      ...company,
      late_sources: company === ekeby ? 1 : 0,
      last_received_at: '2026-11-20T09:03:00Z',
    })),
  }),
  'GET /console/companies/{company_id}': () => ({
    ...ekeby,
    created_at: '2026-01-01T08:00:00Z',
    owners: [
      { member_id: 'member-8', name: 'Olivia Ägare' },
      { member_id: 'member-9', name: 'Per Norrsken' },
    ],
  }),
  'GET /console/companies/{company_id}/sources': () => ({ sources: [exampleSource()], next_cursor: null }),
  'GET /console/companies/{company_id}/connections': () => ({
    connections: [exampleConnection()],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/reports': () => exampleReportList([]),
  'GET /console/known-metrics': () => ({ metrics: [] }),
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
