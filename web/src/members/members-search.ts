import { type RawSearch, readOneOf, readText } from '../ui/search-params.ts'

/** What the address of the members says. */
export interface MembersSearch {
  /** The part that is shown; without it, the members. */
  part?: 'apps' | 'history'
  /** The dialog that is open: `invite`, or what is asked about a member. */
  ask?: 'invite' | 'role' | 'end'
  /** Whom it is about. */
  member?: string
}

export function parseMembersSearch(search: RawSearch): MembersSearch {
  const part = readOneOf(search, 'part', ['apps', 'history'])
  const ask = readOneOf(search, 'ask', ['invite', 'role', 'end'])
  const member = readText(search, 'member')
  return {
    ...(part !== undefined && { part }),
    ...(ask !== undefined && { ask }),
    ...(member !== undefined && { member }),
  }
}
