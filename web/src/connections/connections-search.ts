import { type RawSearch, readText } from '../ui/search-params.ts'

/** What the address of the list of connections says. */
export interface ConnectionsSearch {
  /** The column that it is sorted by; with `-` before it, from the largest on. */
  sort?: string
}

export function parseConnectionsSearch(search: RawSearch): ConnectionsSearch {
  const sort = readText(search, 'sort')
  return { ...(sort !== undefined && { sort }) }
}
