import type { ApiRequest } from '../api/call-api.ts'
import { type Company, may } from '../company/company.ts'
import type { Connection, Source } from '../company/lists.ts'
import { nameFault } from '../company/name-fault.ts'
import type { NewConnectionSearch } from './connections-search.ts'

type NewConnection = ApiRequest<'POST /console/companies/{company_id}/connections'>['body']
export type Permission = NewConnection['permissions'][number]

/** Bound to no source. */
export const unbound = 'any'

/** What the form holds. */
export interface Draft {
  name: string
  permissions: Permission[]
  /** The id of a source, `any`, or empty: none is chosen yet. */
  source: string
  further: string[]
  kind: NewConnection['kind']
  credential: NewConnection['credential_kind']
}

/** What the form begins with: nothing that is not needed. A page that led here knows its source and what it sends. */
export function startingDraft(
  { source: asked, kind, from }: NewConnectionSearch,
  sources: readonly Source[],
  successorOf?: Connection,
): Draft {
  const known = (id: string): string => (sources.some(({ source_id }) => source_id === id) ? id : '')
  if (successorOf !== undefined) {
    return {
      name: successorOf.name,
      permissions: successorOf.permissions,
      source: successorOf.source === null ? unbound : known(successorOf.source.source_id),
      further: successorOf.further_companies.map(({ company_id }) => company_id),
      kind: successorOf.kind === 'sandbox' ? 'sandbox' : 'production',
      credential: successorOf.credential_kind,
    }
  }
  const source = known(asked ?? '')
  const isForReference = from === 'reference'
  return {
    name: '',
    permissions: isForReference
      ? ['sources.ingest', 'metrics.read']
      : source === ''
        ? []
        : ['sources.ingest'],
    source,
    further: [],
    kind: kind ?? 'production',
    credential: isForReference ? 'static' : 'client',
  }
}

/** The companies that it may act on too: the member manages them. */
export function furtherChoices(companies: readonly Company[], companyId: string): Company[] {
  return companies.filter(({ company_id, role }) => company_id !== companyId && may(role, 'developer'))
}

export type DraftFault = 'name' | 'nameLong' | 'nameHidden' | 'may' | 'source'

const nameFaults = { empty: 'name', tooLong: 'nameLong', hidden: 'nameHidden' } as const

/** What is still to be mended before it can be made. */
export function faultsOf({ name, permissions, source }: Draft): DraftFault[] {
  const ofName = nameFault(name)
  return [
    ...(ofName === undefined ? [] : [nameFaults[ofName]]),
    ...(permissions.length === 0 ? (['may'] as const) : []),
    ...(source === '' ? (['source'] as const) : []),
  ]
}

/** As the service takes it. Further companies go with no source alone. */
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
