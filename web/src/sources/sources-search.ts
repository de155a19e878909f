import { type RawSearch, readText } from '../ui/search-params.ts'

/** What the address of the list of sources says. */
export interface SourcesSearch {
  /** The column that it is sorted by; with `-` before it, from the largest on. */
  sort?: string
}

export function parseSourcesSearch(search: RawSearch): SourcesSearch {
  const sort = readText(search, 'sort')
  return { ...(sort !== undefined && { sort }) }
}
