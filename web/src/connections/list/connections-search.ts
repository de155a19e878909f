import { type RawSearch, readOneOf, readText, withoutUndefined } from '../../ui/search-params.ts'

/** `expiring`: signed, and in its last 30 days. */
export const stateFilters = ['unsigned', 'signed', 'expiring', 'expired', 'revoked'] as const
export type StateFilter = (typeof stateFilters)[number]

export type ConnectionsSearch = ReturnType<typeof parseConnectionsSearch>
export type NewConnectionSearch = ReturnType<typeof parseNewConnectionSearch>
export type ConnectionSearch = ReturnType<typeof parseConnectionSearch>

/** The query of the list's address. */
export function parseConnectionsSearch(search: RawSearch) {
  return withoutUndefined({
    /** The key of a column; `-` before it sorts in descending order. */
    sort: readText(search, 'sort'),
    state: readOneOf(search, 'state', stateFilters),
    /** The id of a source, or `none`. */
    source: readText(search, 'source'),
    /** The id of the member who created it. */
    maker: readText(search, 'maker'),
    /** Part of its name. */
    find: readText(search, 'find'),
  })
}

/** The query of a new connection's address: the initial form. */
export function parseNewConnectionSearch(search: RawSearch) {
  return withoutUndefined({
    source: readText(search, 'source'),
    /** What the page that led here needs. The form warns about the other kind. */
    kind: readOneOf(search, 'kind', ['production', 'sandbox']),
    /** It is for the interactive reference, which sends a credential as it is. */
    from: readOneOf(search, 'from', ['reference']),
    /** The id of the connection that it replaces. */
    successor: readText(search, 'successor'),
  })
}

/** The query of one connection's address: the dialog that is open. */
export function parseConnectionSearch(search: RawSearch) {
  return withoutUndefined({ ask: readOneOf(search, 'ask', ['rotate', 'revoke', 'release']) })
}
