import type { Company } from '../companies/company.ts'
import { findCompany } from '../companies/find-company.ts'
import type { Context } from '../service/context.ts'
import { ApiError } from '../http/errors.ts'
import { findMember } from '../companies/find-member.ts'
import { OperatorError } from './operator-error.ts'

/** Gives what is found; what is not found is told in a sentence. */
export async function orTell<T>(found: Promise<T>, told: string): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw new OperatorError(told)
    throw error
  }
}

/** The company that `--company` names by its organisation number. */
export async function namedCompany(context: Context, orgnr: string): Promise<Company> {
  return orTell(findCompany(context, orgnr), 'There is no company with this organisation number.')
}

/** The person that a personal number names. */
export async function namedMember(
  context: Context,
  personalNumber: string,
): Promise<{ memberId: string; name: string | null }> {
  return orTell(
    findMember(context, personalNumber),
    'Nobody here has this personal number: add them with "member add".',
  )
}
