import type { ApiRequest, ApiResponse } from '../api/call-api.ts'

/** What an app requests of the member. */
export type ConsentRequest = Extract<ApiResponse<'POST /console/authorize'>, { state: 'consent' }>
export type Permission = ConsentRequest['permissions'][number]['permission']

/** What the member has chosen. */
export interface Choice {
  permissions: Permission[]
  /** All companies, including later ones. `companies` is kept in case the member changes their mind. */
  every: boolean
  companies: string[]
}

/** The requested permissions that the app does not have yet. */
export function newPermissions(request: ConsentRequest): Permission[] {
  return request.permissions.filter(({ granted }) => !granted).map(({ permission }) => permission)
}

/** The companies to choose from: all at the first consent; later only new ones that the app suggests. */
export function companyChoices({ adds, companies }: ConsentRequest): ConsentRequest['companies']['choices'] {
  return companies.choices.filter(({ granted, suggested }) => !granted && (suggested || !adds))
}

/** The other servers that the app's tokens are not for yet. */
export function newResources(request: ConsentRequest): string[] {
  return request.resources.filter(({ granted }) => !granted).map(({ resource }) => resource)
}

/** Initially all permissions are checked, and the companies that the app suggests, or the only one. */
export function startingChoice(request: ConsentRequest): Choice {
  const companies = companyChoices(request)
  return {
    permissions: newPermissions(request),
    every: false,
    companies: companies
      .filter(({ suggested }) => suggested || companies.length === 1)
      .map(({ company_id }) => company_id),
  }
}

/**
 * Whether the choice is a refusal (`access_denied`). The app must end up with one of the requested permissions; at first also with a
 * company; later with anything new.
 */
export function allowsNothing(request: ConsentRequest, choice: Choice): boolean {
  const hasPermission = choice.permissions.length > 0
  const hasCompany = choice.every || choice.companies.length > 0
  if (!hasPermission && !request.permissions.some(({ granted }) => granted)) return true
  if (!request.adds) return !hasCompany
  return !hasPermission && !hasCompany && newResources(request).length === 0
}

/** The elements of the groups of choices. */
export const groupIds = { permissions: 'consent-permissions', companies: 'consent-companies' } as const
export type Group = keyof typeof groupIds

/** The group where a choice is missing before there is anything to sign. */
export function missingIn(request: ConsentRequest, choice: Choice): Group | undefined {
  if (!allowsNothing(request, choice)) return undefined
  if (choice.permissions.length === 0 && newPermissions(request).length > 0) return 'permissions'
  return 'companies'
}

/** The choice as the service signs it. */
export function toSign(
  choice: Choice,
): Pick<ApiRequest<'POST /console/authorize/sign'>['body'], 'permissions' | 'companies'> {
  return {
    permissions: choice.permissions,
    companies: choice.every ? { every: true } : { every: false, company_ids: choice.companies },
  }
}
