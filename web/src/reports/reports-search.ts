import { type RawSearch, readText } from '../ui/search-params.ts'

/** The query of the reports' address: the source whose reports are shown, else all. */
export interface ReportsSearch {
  source?: string | undefined
}

export function parseReportsSearch(search: RawSearch): ReportsSearch {
  return { source: readText(search, 'source') }
}
