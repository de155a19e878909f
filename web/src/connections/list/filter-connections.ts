import type { Connection } from '../../company/lists.ts'
import type { ConnectionsSearch } from './connections-search.ts'

function hasState({ state, expires_soon }: Connection, wanted: ConnectionsSearch['state']): boolean {
  return wanted === undefined || (wanted === 'expiring' ? expires_soon : state === wanted)
}

export function filterConnections(
  connections: readonly Connection[],
  { state, source, maker, find = '' }: ConnectionsSearch,
): Connection[] {
  const wanted = find.trim().toLowerCase()
  return connections.filter(
    (connection) =>
      hasState(connection, state) &&
      (source === undefined || (connection.source?.source_id ?? 'none') === source) &&
      (maker === undefined || connection.created_by?.member_id === maker) &&
      connection.name.toLowerCase().includes(wanted),
  )
}

/** The company's own connections that need a successor, the first to expire first. */
export function expiringSoon(connections: readonly Connection[], companyId: string): Connection[] {
  return connections
    .filter(({ expires_soon, company }) => expires_soon && company.company_id === companyId)
    .toSorted((a, b) => (a.expires_at ?? '').localeCompare(b.expires_at ?? ''))
}

/** The members who created any of them, as options sorted by name. */
export function findCreators(connections: readonly Connection[]): { value: string; label: string }[] {
  const makers = new Map<string, string>()
  for (const { created_by } of connections) {
    if (created_by !== null) makers.set(created_by.member_id, created_by.name ?? created_by.member_id)
  }
  return [...makers]
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}
