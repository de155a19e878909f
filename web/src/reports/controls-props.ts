import type { Report } from './report-queries.ts'
import type { ReportSearch } from './report-search.ts'

/** What each of a report's choices is given. */
export interface ControlsProps {
  report: Report
  search: ReportSearch
  today: string
  onChange: (search: ReportSearch) => void
}
