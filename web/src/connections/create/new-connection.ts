import type { ApiRequest } from '../../api/call-api.ts'
import { type Company, may } from '../../company/company.ts'
import type { Connection, Source } from '../../company/lists.ts'
import { nameFault } from '../../company/name-fault.ts'
import type { NewConnectionSearch } from '../list/connections-search.ts'

type NewConnection = ApiRequest<'POST /console/companies/{company_id}/connections'>['body']
export type Permission = NewConnection['permissions'][number]

/** Bound to no source. */
export const unbound = 'any'

/** The content of the form. */
export interface Draft {
  name: string
  permissions: Permission[]
  /** The id of a source, {@link unbound}, or empty until one is chosen. */
  source: string
  further: string[]
  kind: NewConnection['kind']
  credential: NewConnection['credential_kind']
}

/** The initial form, with no more permissions than the page that led here needs. */
export function startingDraft(
  { source: wanted = '', kind = 'production', from }: NewConnectionSearch,
  sources: readonly Source[],
  predecessor?: Connection,
): Draft {
  const known = (id: string): string => (sources.some(({ source_id }) => source_id === id) ? id : '')
  if (predecessor !== undefined) {
    return {
      name: predecessor.name,
      permissions: predecessor.permissions,
      source: predecessor.source === null ? unbound : known(predecessor.source.source_id),
      further: predecessor.further_companies.map(({ company_id }) => company_id),
      kind: predecessor.kind === 'sandbox' ? 'sandbox' : 'production',
      credential: predecessor.credential_kind,
    }
  }
  const source = known(wanted)
  const start: Draft = { name: '', permissions: [], source, further: [], kind, credential: 'client' }
  if (from === 'reference') {
    return { ...start, permissions: ['sources.ingest', 'metrics.read'], credential: 'static' }
  }
  return source === '' ? start : { ...start, permissions: ['sources.ingest'] }
}

/** The other companies that it may act for: those where the member is at least a developer. */
export function furtherChoices(companies: readonly Company[], companyId: string): Company[] {
  return companies.filter(({ company_id, role }) => company_id !== companyId && may(role, 'developer'))
}

export type DraftFault = 'name' | 'nameLong' | 'nameHidden' | 'may' | 'source'

const nameFaults = { empty: 'name', tooLong: 'nameLong', hidden: 'nameHidden' } as const

export function findFaults({ name, permissions, source }: Draft): DraftFault[] {
  const fault = nameFault(name)
  return [
    ...(fault === undefined ? [] : [nameFaults[fault]]),
    ...(permissions.length === 0 ? (['may'] as const) : []),
    ...(source === '' ? (['source'] as const) : []),
  ]
}

/** The draft as the service takes it. Only unbound connections have further companies. */
export function toNewConnection({
  name,
  permissions,
  source,
  further,
  kind,
  credential,
}: Draft): NewConnection {
  const isUnbound = source === unbound
  return {
    name: name.trim(),
    permissions,
    source_id: isUnbound ? null : source,
    kind,
    credential_kind: credential,
    ...(isUnbound && further.length > 0 && { further_company_ids: further }),
  }
}
