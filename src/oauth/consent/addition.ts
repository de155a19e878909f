import type { AppPermission } from '../../people/access/app-permissions.ts'
import type { Company } from '../../people/companies/company.ts'
import type { AuthorizeRequest } from '../authorize/authorize-request.ts'
import { coversCompany, type GrantedAccess } from './granted-access.ts'

/** Companies that can be chosen one by one; more are 400. The text that is signed names each. */
export const chosenCompaniesMax = 200

/** What an app gets in addition to what it has: what the member reads and signs. */
export interface Addition {
  permissions: AppPermission[]
  /** Those that are chosen one by one, or every one of the member's. */
  companies: Pick<Company, 'companyId' | 'orgnr' | 'name'>[] | 'every'
  resources: string[]
}

/** What the member ticked: no more than was requested, and only companies of theirs. */
export type ConsentChoice = Pick<Addition, 'permissions' | 'companies'>

/** What of a choice is new. Resources belong to the request and cannot be unticked. */
export function toAddition(
  request: AuthorizeRequest,
  { permissions, companies }: ConsentChoice,
  granted: GrantedAccess | undefined,
): Addition {
  const newCompanies = (): Addition['companies'] => {
    if (granted?.everyCompany === true) return []
    if (companies === 'every') return companies
    return companies.filter(({ companyId }) => !coversCompany(granted, companyId))
  }
  return {
    permissions: permissions.filter((permission) => granted?.permissions.includes(permission) !== true),
    companies: newCompanies(),
    resources: request.resources.filter((resource) => granted?.resources.includes(resource) !== true),
  }
}

function isNone(companies: Addition['companies']): boolean {
  return companies !== 'every' && companies.length === 0
}

/** Whether there is nothing to sign. */
export function isNothing({ permissions, companies, resources }: Addition): boolean {
  return permissions.length === 0 && isNone(companies) && resources.length === 0
}

/**
 * Whether a choice amounts to a refusal [oauth.consent]: nothing new, or the app would have none of the permissions that it
 * requests, or no company to read.
 */
export function isRefusal(
  request: AuthorizeRequest,
  addition: Addition,
  granted: GrantedAccess | undefined,
): boolean {
  const allowed = new Set([...addition.permissions, ...(granted?.permissions ?? [])])
  return (
    isNothing(addition) ||
    !request.permissions.some((permission) => allowed.has(permission)) ||
    (granted === undefined && isNone(addition.companies))
  )
}
