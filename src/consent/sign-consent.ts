import { listCompaniesOfMember } from '../companies/list-companies.ts'
import { formatOrgnr } from '../values/orgnr.ts'
import type { Context } from '../service/context.ts'
import { invalidArgument, notFound } from '../http/errors.ts'
import type { Language } from '../http/preferred-language.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import type { BegunOrder } from '../identity/order.ts'
import {
  cancelSigning,
  collectSigning,
  findSigning,
  startSigning,
  type OwnSigning,
  type SigningOrigin,
  type SigningProgress,
} from '../identity/signing.ts'
import type { AppPermission } from '../access/app-permissions.ts'
import type { AuthorizeRequest } from '../oauth/authorize/authorize-request.ts'
import { additionOf, isRefusal, type ConsentChoice } from './choice.ts'
import { consentEnd, endDateOf } from './consent-end.ts'
import { consentRecord, consentText, type ConsentRecord } from './consent-text.ts'
import { denyConsent } from './deny-consent.ts'
import { findHeldAccess } from './held-access.ts'
import { issueCode } from '../oauth/authorize/issue-code.ts'
import { storeConsent } from './store-consent.ts'
import { requireRequest } from './require-request.ts'

type SigningContext = Pick<Context, 'pool' | 'clock' | 'config' | 'keys' | 'identity'>

/** What the page sent, not yet checked. */
interface TickedChoice {
  permissions: AppPermission[]
  every: boolean
  companyIds: string[]
  /** Of the text that is signed. */
  language: Language
}

type BegunConsent =
  { state: 'redirect'; location: string } | { state: 'signing'; order: BegunOrder & { visibleText: string } }

export type ConsentProgress =
  Extract<SigningProgress<never>, { state: 'pending' | 'failed' }> | { state: 'complete'; location: string }

function subjectOf(connectionId: string): string {
  return `app_connection:${connectionId}`
}

function redirectHostOf({ redirectUri }: AuthorizeRequest): string {
  return new URL(redirectUri).host
}

/** At most what was requested, for companies that the member belongs to now: every role may read [roles]. */
async function requireChoice(
  context: SigningContext,
  request: AuthorizeRequest,
  memberId: string,
  ticked: TickedChoice,
): Promise<ConsentChoice> {
  if (ticked.permissions.some((permission) => !request.permissions.includes(permission))) {
    throw invalidArgument('The app did not ask for it.', 'permissions')
  }
  const permissions = request.permissions.filter((permission) => ticked.permissions.includes(permission))
  if (ticked.every) {
    if (ticked.companyIds.length > 0) {
      throw invalidArgument('Either every company or some of them.', 'companies.company_ids')
    }
    return { permissions, companies: 'every' }
  }
  const own = await listCompaniesOfMember(context, memberId)
  // The same whether the company exists or not.
  if (ticked.companyIds.some((id) => !own.some(({ companyId }) => companyId === id))) {
    throw invalidArgument('It names a company that you are no member of.', 'companies.company_ids')
  }
  return { permissions, companies: own.filter(({ companyId }) => ticked.companyIds.includes(companyId)) }
}

/**
 * Begins the signature of what a member ticked. Only what is new is signed; an addition keeps the end of what it is
 * added to. A choice that leaves nothing is a refusal.
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
  const held = await findHeldAccess(context, request.app.clientId, member.memberId)
  const addition = additionOf(request, choice, held)
  if (isRefusal(request, addition, held)) {
    return { state: 'redirect', location: denyConsent(context, request) }
  }
  const now = context.clock.now()
  const terms = {
    connectionId: held?.connectionId ?? uuidv7(now),
    app: request.app,
    redirectHost: redirectHostOf(request),
    member,
    addition,
    endDate: endDateOf(held?.expiresAt.getTime() ?? consentEnd(now)),
    adds: held !== undefined,
  }
  const visibleText = consentText(terms, ticked.language, formatOrgnr)
  const order = await startSigning(context, origin, {
    memberId: member.memberId,
    companyId: null,
    subject: subjectOf(terms.connectionId),
    visibleText,
    record: { ...consentRecord(terms) },
  })
  return { state: 'signing', order: { ...order, visibleText } }
}

/** What this member's order signs, if that is a consent. @throws 404 otherwise */
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

/** `ended`: what was signed no longer opens anything, since its companies or its connection are gone. */
function completed(location: string | undefined): ConsentProgress {
  return location === undefined ? { state: 'failed', reason: 'ended' } : { state: 'complete', location }
}

/**
 * Asks how far the signature is. Once it is made, the app has access and its code is issued, in one transaction. A
 * later call gets a code of its own, since the answer to the first may have been lost.
 *
 * @param query of the page that began it: an order of another app, or for another host, is not found
 * @throws 400 as `requireRequest`; 404 where there is no such order of this member for this app
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
  if (terms.client_id !== request.app.clientId || terms.redirect_host !== redirectHostOf(request)) {
    throw notFound()
  }
  const progress = await collectSigning(context, orderId, own, async (client, signed) => {
    const held = await storeConsent(client, signed, context.clock)
    return held && issueCode(context, client, request, held)
  })
  if (progress.state === 'pending' || progress.state === 'failed') return progress
  if (progress.state === 'complete') return completed(progress.result)
  const held = await findHeldAccess(context, request.app.clientId, memberId)
  return completed(held && (await issueCode(context, context.pool, request, held)))
}

/** Gives up the signature; nothing is allowed. @throws 404 where there is no such order of this member */
export async function cancelSigningConsent(
  context: SigningContext,
  memberId: string,
  orderId: string,
): Promise<void> {
  const { own } = await findConsent(context, memberId, orderId)
  await cancelSigning(context, orderId, own)
}
