import type { DirectoryContext } from '../../context.ts'
import type { Company } from '../../people/companies/company.ts'
import { listCompaniesOfMember } from '../../people/companies/list-companies.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import type { AuthorizeRequest } from '../authorize/authorize-request.ts'
import { issueCode } from '../authorize/issue-code.ts'
import { errorLocation } from '../authorize/redirect-location.ts'
import { validateRequest, type RequestOutcome } from '../authorize/validate-request.ts'
import { RedirectError } from '../redirect-error.ts'
import { isNothing, toAddition } from './addition.ts'
import { lifetimeMs } from './end-date.ts'
import { findGrantedAccess, type GrantedAccess } from './granted-access.ts'

export type ConsentQuestion =
  | { state: 'redirect'; location: string }
  | {
      state: 'consent'
      request: AuthorizeRequest
      /** All companies of the member, by name: every role may read [roles]. */
      companies: Company[]
      granted: GrantedAccess | undefined
      endsAt: Date
    }

/**
 * The request of a page that is open already. It was valid when the page was served; the app may have been removed
 * since.
 *
 * @throws 400 with field `query` if the browser may not be sent back to the app
 */
export async function requireRequest(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  query: string,
): Promise<Exclude<RequestOutcome, { kind: 'own_page' }>> {
  const outcome = await validateRequest(context, query)
  if (outcome.kind !== 'own_page') return outcome
  throw invalidArgument('It names no registered app, or no address of its own.', 'query')
}

/** Where the browser goes if the member refuses. What the app was allowed before remains. */
export function toDenial({ config }: Pick<DirectoryContext, 'config'>, request: AuthorizeRequest): string {
  const denied = new RedirectError('access_denied', 'The member did not allow it.')
  return errorLocation({ ...request, issuer: config.baseUrl }, denied)
}

/**
 * What an app requests of the signed-in member. If it has all of that already there is nothing to sign: a new code
 * for the same connection (specification "Delegated access"; [oauth.renew]).
 *
 * @throws 400 as `requireRequest`
 */
export async function requestConsent(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  memberId: string,
  query: string,
): Promise<ConsentQuestion> {
  const outcome = await requireRequest(context, query)
  if (outcome.kind === 'redirect') return { state: 'redirect', location: outcome.location }
  const { request } = outcome
  const companies = await listCompaniesOfMember(context, memberId)
  let granted = await findGrantedAccess(context, request.app.clientId, memberId)
  const suggested = {
    permissions: request.permissions,
    companies: companies.filter(({ orgnr }) => request.companies.includes(orgnr)),
  }
  if (granted !== undefined && isNothing(toAddition(request, suggested, granted))) {
    const location = await issueCode(context, context.pool, request, granted)
    if (location !== undefined) return { state: 'redirect', location }
    // It ended between the two statements.
    granted = undefined
  }
  const endsAt = granted?.expiresAt ?? new Date(context.clock.now() + lifetimeMs)
  return { state: 'consent', request, companies, granted, endsAt }
}
