import { type RawSearch, readOneOf, readText, withoutUndefined } from '../ui/search-params.ts'

/** The query of the members' address. */
export function parseMembersSearch(search: RawSearch) {
  return withoutUndefined({
    /** The part that is shown; by default the members. */
    part: readOneOf(search, 'part', ['apps', 'history', 'company']),
    /** The dialog that is open. */
    ask: readOneOf(search, 'ask', ['invite', 'role', 'end']),
    /** The id of the member whom it is about. */
    member: readText(search, 'member'),
  })
}
