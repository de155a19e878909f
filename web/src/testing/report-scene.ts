import type { Page } from 'playwright-core'
import type { Replies } from './api-stub.ts'
import {
  exampleReport,
  exampleReportList,
  exampleTrace,
  exampleVintage,
  ledgerId,
} from './example-reports.ts'
import { exampleCompany, exampleSession } from './examples.ts'
import { type OpenedCompanyPage, type PageOptions, startPages } from './start-pages.ts'

export const ekeby = exampleCompany()
export const list = `/companies/${ekeby.company_id}/reports`
export const ledger = `${list}/${ledgerId}/revenue?grain=month&by=country`

const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby] }),
  'GET /console/companies/{company_id}': () => ({
    ...ekeby,
    created_at: '2026-01-01T08:00:00Z',
    owners: [{ member_id: 'member-9', name: 'Per Norrsken' }],
  }),
  'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
  'GET /console/companies/{company_id}/reports': () => exampleReportList(),
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': ({ query }) =>
    query['as_of'] === undefined ? exampleReport() : exampleVintage(),
  'GET /console/companies/{company_id}/sources/{source_id}/samples/trace': ({ query }) =>
    query['as_of'] === undefined ? exampleTrace({ as_of: null, value_then: null }) : exampleTrace(),
}

/** Starts a browser with the pages of reports, for the tests of a file. */
export function startReportPages() {
  const openPage = startPages()
  let opened: OpenedCompanyPage
  return {
    async open(path: string, given: Replies = {}, options?: PageOptions): Promise<Page> {
      opened = await openPage(path, { ...replies, ...given }, options)
      await opened.page.getByRole('heading', { level: 1 }).waitFor()
      return opened.page
    },
    /** The calls of the page opened last. */
    getCalls: () => opened.calls,
    /** The query of the latest report request. */
    getLastQuery: () =>
      opened.calls.findLast(({ operation }) => operation.endsWith('/reports/{metric}'))!.query,
  }
}

export const phone = { viewport: { width: 390, height: 844 } }
