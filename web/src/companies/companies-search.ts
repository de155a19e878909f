import { type RawSearch, readOneOf, readText } from '../ui/search-params.ts'

/** The query of the companies' address. */
export interface CompaniesSearch {
  /** The company in the dialog for leaving. */
  leave?: string
  /** On a demo: focuses the form for creating a company. */
  make?: 'own'
}

export function parseCompaniesSearch(search: RawSearch): CompaniesSearch {
  const leave = readText(search, 'leave')
  const make = readOneOf(search, 'make', ['own'] as const)
  return { ...(leave !== undefined && { leave }), ...(make !== undefined && { make }) }
}
