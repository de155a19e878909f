import type { Answer, Input } from '../api/ask.ts'

/** What an app asks of the member. */
export type ConsentRequest = Extract<Answer<'POST /console/authorize'>, { state: 'consent' }>
export type Permission = ConsentRequest['permissions'][number]['permission']

/** What the member has ticked. */
export interface Choice {
  permissions: Permission[]
  /** All companies, later ones too; `companies` is kept for when the member changes their mind. */
  every: boolean
  companies: string[]
}

/** Of what is asked, what the app does not have yet: that is what is shown. */
export const newPermissions = (request: ConsentRequest): Permission[] =>
  request.permissions.filter(({ held }) => !held).map(({ permission }) => permission)

/**
 * The companies to choose among: all of them at the first consent; when an app has access already, only those that it
 * suggests beside the ones that it reads.
 */
export const companyChoices = ({ adds, companies }: ConsentRequest) =>
  companies.choices.filter(({ held, suggested }) => !held && (suggested || !adds))

export const newResources = (request: ConsentRequest): string[] =>
  request.resources.filter(({ held }) => !held).map(({ resource }) => resource)

/** Permissions start ticked, companies where the app suggests them; an only company is. */
export const startingChoice = (request: ConsentRequest): Choice => {
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
 * permissions that it asks for; at first also with a company; later with anything new.
 */
export const allowsNothing = (request: ConsentRequest, choice: Choice): boolean => {
  const noPermission = choice.permissions.length === 0
  const noCompany = !choice.every && choice.companies.length === 0
  if (noPermission && !request.permissions.some(({ held }) => held)) return true
  if (!request.adds) return noCompany
  return noPermission && noCompany && newResources(request).length === 0
}

export const toSign = (
  choice: Choice,
): Pick<Input<'POST /console/authorize/sign'>['body'], 'permissions' | 'companies'> => ({
  permissions: choice.permissions,
  companies: choice.every ? { every: true } : { every: false, company_ids: choice.companies },
})
