import type { Connection } from '../company/lists.ts'
import type { ConnectionsSearch } from './connections-search.ts'

function hasState({ state, expires_soon }: Connection, wanted: ConnectionsSearch['state']): boolean {
  return wanted === undefined || (wanted === 'expiring' ? expires_soon : state === wanted)
}

/** The connections that the address asks for. */
export function filterConnections(
  connections: readonly Connection[],
  { state, source, maker, find }: ConnectionsSearch,
): Connection[] {
  const wanted = find?.trim().toLowerCase() ?? ''
  return connections.filter(
    (connection) =>
      hasState(connection, state) &&
      (source === undefined || (connection.source?.source_id ?? 'none') === source) &&
      (maker === undefined || connection.made_by?.member_id === maker) &&
      connection.name.toLowerCase().includes(wanted),
  )
}

/** Those of a company whose successor is to be made, the first to expire first; another company's is theirs to make. */
export function expiringSoon(connections: readonly Connection[], companyId: string): Connection[] {
  return connections
    .filter(({ expires_soon, company }) => expires_soon && company.company_id === companyId)
    .toSorted((a, b) => (a.expires_at ?? '').localeCompare(b.expires_at ?? ''))
}

/** Who made any of them, by name. */
export function makersOf(connections: readonly Connection[]): { member_id: string; name: string }[] {
  const makers = new Map<string, string>()
  for (const { made_by } of connections) {
    if (made_by !== null) makers.set(made_by.member_id, made_by.name ?? made_by.member_id)
  }
  return [...makers]
    .map(([member_id, name]) => ({ member_id, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
