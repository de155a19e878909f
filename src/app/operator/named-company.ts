import type { AppContext } from '../app-context.ts'
import type { Company } from '../../people/companies/company.ts'
import { findCompany } from '../../people/companies/find-company.ts'
import { ApiError } from '../../platform/http/errors/errors.ts'
import { findMember } from '../../people/members/find-member.ts'
import { OperatorError } from './operator-error.ts'

/** What was found. @throws OperatorError with the message where nothing was */
export async function orThrow<T>(found: Promise<T>, message: string): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw new OperatorError(message)
    throw error
  }
}

/** The company that `--company` names by its organisation number. */
export async function namedCompany(context: AppContext, orgnr: string): Promise<Company> {
  return orThrow(findCompany(context, orgnr), 'There is no company with this organisation number.')
}

/** The person that a personal number names. */
export async function namedMember(
  context: AppContext,
  personalNumber: string,
): Promise<{ memberId: string; name: string | null }> {
  return orThrow(
    findMember(context, personalNumber),
    'No member has this personal number: add them with "member add".',
  )
}
