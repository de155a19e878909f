import { type RawSearch, readText } from '../ui/search-params.ts'

/** What the address of the reports says beside the company. */
export interface ReportsSearch {
  /** The source whose figures are shown; the first one where none is named. */
  source?: string
}

export function parseReportsSearch(search: RawSearch): ReportsSearch {
  const source = readText(search, 'source')
  return { ...(source !== undefined && { source }) }
}
