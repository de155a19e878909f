import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import type { Pages } from './web-app.ts'

/** What a page asks of the console API as its first script runs, whoever opens it. */
const session = '/console/session'

/** What the reports ask for next (web/src/company/report-list.ts): to the letter, or the browser asks twice. */
const toReportsUrl = (companyId: string): string => `/console/companies/${companyId}/reports?limit=100`

/** As a script's own call asks, so that it is given this answer. */
const asked = (url: string): string => `<${url}>; rel=preload; as=fetch; crossorigin`

/**
 * What a browser is to load beside a page's document, at once and not one after the other as scripts name it: a `Link` header
 * (RFC 8288; HTML, "Link type preload", "Link type modulepreload").
 *
 * @param page the file that begins the page, as `page-scripts.json` names it
 * @param companyId as the address has it, which may be anything
 */
export function getLinks({ scripts }: Pages, page?: string, companyId?: string): string {
  const modules = scripts[page ?? ''] ?? []
  const hasReports = page === 'reports-page' && companyId !== undefined && uuidPattern.test(companyId)
  return [
    asked(session),
    ...(hasReports ? [asked(toReportsUrl(companyId))] : []),
    ...modules.map((module) => `<${module}>; rel=modulepreload`),
  ].join(', ')
}
