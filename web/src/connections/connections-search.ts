import { type RawSearch, readOneOf, readText } from '../ui/search-params.ts'

/** `expiring`: signed, and in its last 30 days. */
export const stateFilters = ['made', 'signed', 'expiring', 'expired', 'revoked'] as const
export type StateFilter = (typeof stateFilters)[number]

/** What the address of the list of connections says. */
export interface ConnectionsSearch {
  /** The column that it is sorted by; with `-` before it, from the largest on. */
  sort?: string
  state?: StateFilter
  /** The id of a source, or `none`: bound to none. */
  source?: string
  /** The member who made it. */
  maker?: string
  /** In its name. */
  find?: string
}

export function parseConnectionsSearch(search: RawSearch): ConnectionsSearch {
  const sort = readText(search, 'sort')
  const state = readOneOf(search, 'state', stateFilters)
  const source = readText(search, 'source')
  const maker = readText(search, 'maker')
  const find = readText(search, 'find')
  return {
    ...(sort !== undefined && { sort }),
    ...(state !== undefined && { state }),
    ...(source !== undefined && { source }),
    ...(maker !== undefined && { maker }),
    ...(find !== undefined && { find }),
  }
}

/** What the address of a new connection says: what the form begins with. */
export interface NewConnectionSearch {
  /** Of the source that it is made for. */
  source?: string
  /** What the page that led here sends: the other kind is warned about. */
  kind?: 'production' | 'sandbox'
  /** It is made for the interactive reference, which sends a credential as it is. */
  from?: 'reference'
  /** The connection that it takes the place of. */
  successor?: string
}

export function parseNewConnectionSearch(search: RawSearch): NewConnectionSearch {
  const source = readText(search, 'source')
  const kind = readOneOf(search, 'kind', ['production', 'sandbox'])
  const from = readOneOf(search, 'from', ['reference'])
  const successor = readText(search, 'successor')
  return {
    ...(source !== undefined && { source }),
    ...(kind !== undefined && { kind }),
    ...(from !== undefined && { from }),
    ...(successor !== undefined && { successor }),
  }
}

/** What the address of one connection says: the question that is open over it. */
export interface ConnectionSearch {
  ask?: 'rotate' | 'revoke' | 'release'
}

export function parseConnectionSearch(search: RawSearch): ConnectionSearch {
  const ask = readOneOf(search, 'ask', ['rotate', 'revoke', 'release'])
  return ask === undefined ? {} : { ask }
}
