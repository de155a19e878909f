import type { Company } from '../companies/company.ts'
import type { AppPermission } from '../access/app-permissions.ts'
import type { AuthorizeRequest } from '../oauth/authorize/authorize-request.ts'
import { coversCompany, type HeldAccess } from './held-access.ts'

/** Companies that can be chosen one by one; more are 400. The text that is signed names each. */
export const chosenCompaniesMax = 200

/** What an app gets beyond what it holds: what the member reads and signs. */
export interface Addition {
  permissions: AppPermission[]
  /** Those that are chosen one by one, or every one of the member's. */
  companies: Pick<Company, 'companyId' | 'orgnr' | 'name'>[] | 'every'
  resources: string[]
}

/** What the member ticked: no more than was requested, and only companies of theirs. */
export type ConsentChoice = Pick<Addition, 'permissions' | 'companies'>

/** What of a choice is new. Resources belong to the request and cannot be unticked. */
export function additionOf(
  request: AuthorizeRequest,
  choice: ConsentChoice,
  held: HeldAccess | undefined,
): Addition {
  const { companies } = choice
  const newCompanies = (): Addition['companies'] => {
    if (held?.everyCompany === true) return []
    if (companies === 'every') return companies
    return companies.filter(({ companyId }) => !coversCompany(held, companyId))
  }
  return {
    permissions: choice.permissions.filter((permission) => held?.permissions.includes(permission) !== true),
    companies: newCompanies(),
    resources: request.resources.filter((resource) => held?.resources.includes(resource) !== true),
  }
}

/** The choice that the page begins with: all that is requested, and the companies that the app suggests. */
export function suggestedChoice<Suggested extends Pick<Company, 'companyId' | 'orgnr' | 'name'>>(
  request: AuthorizeRequest,
  companies: readonly Suggested[],
): ConsentChoice {
  return {
    permissions: request.permissions,
    companies: companies.filter(({ orgnr }) => request.companies.includes(orgnr)),
  }
}

function isNone(companies: Addition['companies']): boolean {
  return companies !== 'every' && companies.length === 0
}

/** Whether there is nothing that would have to be signed. */
export function isNothing({ permissions, companies, resources }: Addition): boolean {
  return permissions.length === 0 && isNone(companies) && resources.length === 0
}

/**
 * Whether a choice amounts to a refusal [oauth.consent]: nothing new, or an app that would have none of the
 * permissions that it asks for, or no company to read.
 */
export function isRefusal(
  request: AuthorizeRequest,
  addition: Addition,
  held: HeldAccess | undefined,
): boolean {
  const allowed = new Set([...addition.permissions, ...(held?.permissions ?? [])])
  return (
    isNothing(addition) ||
    !request.permissions.some((permission) => allowed.has(permission)) ||
    (held === undefined && isNone(addition.companies))
  )
}
