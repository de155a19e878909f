import type { ApiRequest, ApiResponse } from '../api/call-api.ts'

/** What an app requests of the member. */
export type ConsentRequest = Extract<ApiResponse<'POST /console/authorize'>, { state: 'consent' }>
export type Permission = ConsentRequest['permissions'][number]['permission']

/** What the member has ticked. */
export interface Choice {
  permissions: Permission[]
  /** All companies, later ones too; `companies` is still there when the member changes their mind. */
  every: boolean
  companies: string[]
}

/** The requested permissions that the app does not have yet: those are shown. */
export function newPermissions(request: ConsentRequest): Permission[] {
  return request.permissions.filter(({ held }) => !held).map(({ permission }) => permission)
}

/**
 * The companies to choose among: all of them at the first consent; when an app has access already, only those that it
 * suggests beside the ones that it reads.
 */
export function companyChoices({ adds, companies }: ConsentRequest): ConsentRequest['companies']['choices'] {
  return companies.choices.filter(({ held, suggested }) => !held && (suggested || !adds))
}

/** The other servers that the app's tokens are not for yet. */
export function newResources(request: ConsentRequest): string[] {
  return request.resources.filter(({ held }) => !held).map(({ resource }) => resource)
}

/** Permissions start ticked, and so do the companies that the app suggests, or the only one there is. */
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
 * Whether the choice leaves the app nothing: then it is a refusal (`access_denied`). The app must end up with one of the
 * permissions that it requests; at first also with a company; later with anything new.
 */
export function allowsNothing(request: ConsentRequest, choice: Choice): boolean {
  const noPermission = choice.permissions.length === 0
  const noCompany = !choice.every && choice.companies.length === 0
  if (noPermission && !request.permissions.some(({ held }) => held)) return true
  if (!request.adds) return noCompany
  return noPermission && noCompany && newResources(request).length === 0
}

/** The group of a choice, and the id of its fields. */
export const groupIds = { permissions: 'consent-permissions', companies: 'consent-companies' } as const
export type Group = keyof typeof groupIds

/** Where something is to be ticked before there is anything to sign; undefined where there is. */
export function missingIn(request: ConsentRequest, choice: Choice): Group | undefined {
  if (!allowsNothing(request, choice)) return undefined
  if (choice.permissions.length === 0 && newPermissions(request).length > 0) return 'permissions'
  return 'companies'
}

/** What the app may see already, so that only what is new is asked for. */
export function heldAccess({ permissions, companies, resources }: ConsentRequest): {
  permissions: Permission[]
  every: boolean
  companies: string[]
  resources: string[]
} {
  return {
    permissions: permissions.filter(({ held }) => held).map(({ permission }) => permission),
    every: companies.every_held,
    companies: companies.choices.filter(({ held }) => held).map(({ name }) => name),
    resources: resources.filter(({ held }) => held).map(({ resource }) => resource),
  }
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
