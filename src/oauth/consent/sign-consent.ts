import { listCompaniesOfMember } from '../../people/companies/list-companies.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import type { DirectoryContext } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import type { Language } from '../../platform/http/requests/preferred-language.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import type { BegunOrder } from '../../people/identity/order.ts'
import {
  cancelSigning,
  collectSigning,
  findSigning,
  startSigning,
  type OwnSigning,
  type SigningOrigin,
  type SigningProgress,
} from '../../people/identity/signing.ts'
import type { AppPermission } from '../../people/access/app-permissions.ts'
import type { AuthorizeRequest } from '../authorize/authorize-request.ts'
import { isRefusal, toAddition, type ConsentChoice } from './addition.ts'
import { consentRecord, consentText, type ConsentRecord } from './consent-text.ts'
import { lifetimeMs, toEndDate } from './end-date.ts'
import { findGrantedAccess } from './granted-access.ts'
import { requireRequest, toDenial } from './request-consent.ts'
import { issueCode } from '../authorize/issue-code.ts'
import { storeConsent } from './store-consent.ts'

type SigningContext = Pick<DirectoryContext, 'pool' | 'clock' | 'config' | 'keys'> & WithIdentity

/** What the page sent, not yet checked. */
interface TickedChoice {
  permissions: AppPermission[]
  every: boolean
  companyIds: string[]
  /** Of the text that is signed. */
  language: Language
}

type BegunConsent =
  | { state: 'redirect'; location: string }
  | { state: 'signing'; order: BegunOrder & { visibleText: string } }

export type ConsentProgress =
  | Extract<SigningProgress<never>, { state: 'pending' | 'failed' }>
  | { state: 'complete'; location: string }

function toRedirectHost({ redirectUri }: AuthorizeRequest): string {
  return new URL(redirectUri).host
}

/** At most what was requested, for companies of the member: every role may read [roles]. */
async function requireChoice(
  context: SigningContext,
  request: AuthorizeRequest,
  memberId: string,
  ticked: TickedChoice,
): Promise<ConsentChoice> {
  if (ticked.permissions.some((permission) => !request.permissions.includes(permission))) {
    throw invalidArgument('The app did not request this permission.', 'permissions')
  }
  const permissions = request.permissions.filter((permission) => ticked.permissions.includes(permission))
  if (ticked.every) {
    if (ticked.companyIds.length > 0) {
      throw invalidArgument('Choose either every company or some of them.', 'companies.company_ids')
    }
    return { permissions, companies: 'every' }
  }
  const own = await listCompaniesOfMember(context, memberId)
  // The same answer whether the company exists or not.
  if (ticked.companyIds.some((id) => !own.some(({ companyId }) => companyId === id))) {
    throw invalidArgument('You are not a member of one of these companies.', 'companies.company_ids')
  }
  return { permissions, companies: own.filter(({ companyId }) => ticked.companyIds.includes(companyId)) }
}

/**
 * Begins the signature of what a member ticked. Only what is new is signed; an addition keeps the end of the access that it
 * is added to. A choice that leaves nothing is a refusal.
 *
 * @throws 400 as `requireRequest`, and for what was not requested or is not the member's; 403 as `startSigning`
 */
export async function startSigningConsent(
  context: SigningContext,
  member: { memberId: string; name: string | null },
  query: string,
  ticked: TickedChoice,
  origin: SigningOrigin,
): Promise<BegunConsent> {
  const outcome = await requireRequest(context, query)
  if (outcome.kind === 'redirect') return { state: 'redirect', location: outcome.location }
  const { request } = outcome
  const choice = await requireChoice(context, request, member.memberId, ticked)
  const granted = await findGrantedAccess(context, request.app.clientId, member.memberId)
  const addition = toAddition(request, choice, granted)
  if (isRefusal(request, addition, granted)) {
    return { state: 'redirect', location: toDenial(context, request) }
  }
  const now = context.clock.now()
  const terms = {
    connectionId: granted?.connectionId ?? uuidv7(now),
    app: request.app,
    redirectHost: toRedirectHost(request),
    member,
    addition,
    endDate: toEndDate(granted?.expiresAt.getTime() ?? now + lifetimeMs),
    adds: granted !== undefined,
  }
  const visibleText = consentText(terms, ticked.language, formatOrgnr)
  const order = await startSigning(context, origin, {
    memberId: member.memberId,
    companyId: null,
    subject: `app_connection:${terms.connectionId}`,
    visibleText,
    record: { ...consentRecord(terms) },
  })
  return { state: 'signing', order: { ...order, visibleText } }
}

/** What this member's order signs. @throws 404 if it is not a consent */
async function findConsent(
  context: SigningContext,
  memberId: string,
  orderId: string,
): Promise<{ terms: ConsentRecord; own: OwnSigning }> {
  const { subject, record } = await findSigning(context, orderId, memberId)
  const terms = record as unknown as ConsentRecord
  if (terms.kind !== 'app_consent') throw notFound()
  return { terms, own: { memberId, companyId: null, subject } }
}

/** `ended`: what was signed opens nothing by now, since its companies or its connection are gone. */
function toCompleted(location: string | undefined): ConsentProgress {
  return location === undefined ? { state: 'failed', reason: 'ended' } : { state: 'complete', location }
}

/**
 * Collects the signature. Once it is complete, the app has access and its code is issued, in one transaction. A later call
 * gets a code of its own, since the first answer may have been lost.
 *
 * @param query of the page that began it: an order of another app, or for another host, is not found
 * @throws 400 as `requireRequest`; 404 if the member has no such order for this app
 */
export async function collectConsent(
  context: SigningContext,
  memberId: string,
  query: string,
  orderId: string,
): Promise<ConsentProgress> {
  const outcome = await requireRequest(context, query)
  if (outcome.kind === 'redirect') throw notFound()
  const { request } = outcome
  const { terms, own } = await findConsent(context, memberId, orderId)
  if (terms.client_id !== request.app.clientId || terms.redirect_host !== toRedirectHost(request)) {
    throw notFound()
  }
  const progress = await collectSigning(context, orderId, own, async (client, signed) => {
    const granted = await storeConsent(client, signed, context.clock)
    return granted && issueCode(context, client, request, granted)
  })
  if (progress.state === 'pending' || progress.state === 'failed') return progress
  if (progress.state === 'complete') return toCompleted(progress.result)
  const granted = await findGrantedAccess(context, request.app.clientId, memberId)
  return toCompleted(granted && (await issueCode(context, context.pool, request, granted)))
}

/** @throws 404 if the member has no such order */
export async function cancelSigningConsent(
  context: SigningContext,
  memberId: string,
  orderId: string,
): Promise<void> {
  const { own } = await findConsent(context, memberId, orderId)
  await cancelSigning(context, orderId, own)
}
