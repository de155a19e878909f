import { listCompaniesOfMember } from '../companies/list-companies.ts'
import type { Company } from '../companies/company.ts'
import type { Context } from '../service/context.ts'
import type { AuthorizeRequest } from '../oauth/authorize/authorize-request.ts'
import { additionOf, isNothing, suggestedChoice } from './choice.ts'
import { consentEnd } from './consent-end.ts'
import { findHeldAccess, type HeldAccess } from './held-access.ts'
import { issueCode } from '../oauth/authorize/issue-code.ts'
import { requireRequest } from './require-request.ts'

export type ConsentQuestion =
  | { state: 'redirect'; location: string }
  | {
      state: 'consent'
      request: AuthorizeRequest
      /** All that the member belongs to now, by name: every role may read [roles]. */
      companies: Company[]
      held: HeldAccess | undefined
      endsAt: Date
    }

/**
 * What an app asks the signed-in member for. Where it holds all of that already there is nothing to sign: a new code
 * for the same connection (specification "Delegated access"; [oauth.renew]).
 *
 * @throws 400 as `requireRequest`
 */
export async function askForConsent(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  memberId: string,
  query: string,
): Promise<ConsentQuestion> {
  const outcome = await requireRequest(context, query)
  if (outcome.kind === 'redirect') return { state: 'redirect', location: outcome.location }
  const { request } = outcome
  const companies = await listCompaniesOfMember(context, memberId)
  let held = await findHeldAccess(context, request.app.clientId, memberId)
  if (held !== undefined && isNothing(additionOf(request, suggestedChoice(request, companies), held))) {
    const location = await issueCode(context, context.pool, request, held)
    if (location !== undefined) return { state: 'redirect', location }
    // It ended between the two statements.
    held = undefined
  }
  const endsAt = held?.expiresAt ?? new Date(consentEnd(context.clock.now()))
  return { state: 'consent', request, companies, held, endsAt }
}
