import { type RawSearch, readOneOf, readText } from '../ui/search-params.ts'

/** What the address of the companies says. */
export interface CompaniesSearch {
  /** The company that one is asked about leaving. */
  leave?: string
  /** Where one goes on: making a company of one's own, on a demo. */
  make?: 'own'
}

export function parseCompaniesSearch(search: RawSearch): CompaniesSearch {
  const leave = readText(search, 'leave')
  const make = readOneOf(search, 'make', ['own'] as const)
  return { ...(leave !== undefined && { leave }), ...(make !== undefined && { make }) }
}
