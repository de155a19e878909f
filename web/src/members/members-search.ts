import { type RawSearch, readDay, readOneOf, readText, withoutUndefined } from '../ui/search-params.ts'

/** What an event of the history is about. */
export const historyKinds = ['company', 'source', 'connection', 'member', 'invitation'] as const

/** The query of the members' address. */
export function parseMembersSearch(search: RawSearch) {
  return withoutUndefined({
    /** The part that is shown; by default the members. */
    part: readOneOf(search, 'part', ['apps', 'history', 'company']),
    /** The dialog that is open. */
    ask: readOneOf(search, 'ask', ['invite', 'role', 'end']),
    /** The id of the member whom it is about. */
    member: readText(search, 'member'),
    /** The history: what it is about, who did it, and its first and last day. */
    kind: readOneOf(search, 'kind', historyKinds),
    by: readText(search, 'by'),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
  })
}
