import type { Page } from 'playwright-core'
import type { Replies } from './api-stub.ts'
import { companyReplies } from './company-replies.ts'
import { exampleCompany, exampleSession } from './examples.ts'

export const ekeby = exampleCompany()
export const norrsken = exampleCompany({
  company_id: '01900000-0000-7000-8000-000000000002',
  orgnr: '559999-0024',
  name: 'Norrsken Kaffe AB',
  role: 'reader',
})
export const at = (path: string, { company_id } = ekeby): string => `/companies/${company_id}${path}`

/** Every member sees the owners. */
const owners = { owners: [{ member_id: 'member-9', name: 'Per Norrsken' }] }

export const replies: Replies = {
  ...companyReplies,
  'GET /console/session': () => exampleSession({ companies: [ekeby, norrsken] }),
  'GET /console/companies/{company_id}': () => ({
    ...ekeby,
    created_at: '2026-01-01T08:00:00Z',
    ...owners,
  }),
  'GET /console/companies': () => ({
    companies: [ekeby, norrsken].map((company) => ({
      ...company,
      late_sources: 0,
      last_received_at: '2026-11-20T09:03:00Z',
    })),
  }),
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
export const field = (page: Page) => page.getByRole('searchbox', { name: /Page, source, connection/ })
export const focused = (page: Page): Promise<string | null> => page.locator(':focus').textContent()
export const sideLinks = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allTextContents()
