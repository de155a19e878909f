import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { pageRequestOf } from '../http/pagination-query.ts'
import type { Page } from '../http/pagination.ts'
import {
  cancelSignInContract,
  collectSignInContract,
  listOwnSignaturesContract,
  listSignaturesOfCompanyContract,
  returnFromAppContract,
  showEvidenceContract,
  startSignInContract,
} from './contract.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { limitSignIns } from './limit-sign-ins.ts'
import {
  listOwnSignatures,
  listSignaturesOfCompany,
  showEvidence,
  type Signature,
} from './list-signatures.ts'
import { returnFromApp } from './return-from-app.ts'
import { orderOrigin, showBegunOrder, showPending } from './show-order.ts'
import { readCookie, setCookie } from '../sessions/session-cookie.ts'
import { sessionOrigin } from '../sessions/session-origin.ts'
import { cancelSignIn, collectSignIn, startSignIn } from './sign-in.ts'

function showSignature(signature: Signature) {
  return {
    signature_id: signature.signatureId,
    member: { member_id: signature.member.memberId, name: signature.member.name },
    company_id: signature.companyId,
    company_name: signature.companyName,
    subject: signature.subject,
    visible_text: signature.visibleText,
    record: signature.record,
    record_sha256: signature.recordSha256,
    provider: signature.provider,
    signed_at: signature.signedAt,
  }
}

function showSignatures(page: Page<Signature>) {
  return {
    signatures: page.items.map(showSignature),
    next_cursor: page.nextCursor,
  }
}

/** Signing in, and what was signed: for the pages. */
export async function registerIdentityRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)
  registerSignInRoutes(app, context)
  registerReturnRoute(app, context)
  registerSignatureRoutes(app, context)
}

function registerSignInRoutes(app: App, context: Context): void {
  const { clock, config } = context

  app.post('/console/sign-in', route(startSignInContract), async (request, reply) => {
    await limitSignIns(context, request.ip)
    const origin = orderOrigin(context, request, request.body)
    const begun = await startSignIn(context, origin, readCookie(config, request, 'numera_order'))
    setCookie(config, reply, 'numera_order', begun.browserToken, begun.expiresAt.getTime() - clock.now())
    return showBegunOrder(context, begun)
  })

  app.post('/console/sign-in/:order_id/collect', route(collectSignInContract), async (request, reply) => {
    const browserToken = readCookie(config, request, 'numera_order')
    const progress = await collectSignIn(context, request.params.order_id, browserToken, {
      origin: sessionOrigin(request, context.identity.demo),
      sessionToken: readCookie(config, request, 'numera_session'),
    })
    if (progress.state === 'pending') return showPending(progress)
    if (progress.state === 'failed') return progress
    const { token, expiresAt } = progress.session
    // The order's cookie stays for its time: another tab's sign-in has the same.
    setCookie(config, reply, 'numera_session', token, expiresAt.getTime() - clock.now())
    return { state: progress.state, member_id: progress.memberId }
  })

  app.post('/console/sign-in/:order_id/cancel', route(cancelSignInContract), async (request, reply) => {
    await cancelSignIn(context, request.params.order_id, readCookie(config, request, 'numera_order'))
    return reply.code(204).send()
  })
}

function registerReturnRoute(app: App, context: Context): void {
  app.post('/console/sign-in/return', route(returnFromAppContract), async (request) => {
    const cookies = [
      readCookie(context.config, request, 'numera_order'),
      readCookie(context.config, request, 'numera_session'),
    ]
    return { return_to: await returnFromApp(context, request.body.return_nonce, cookies) }
  })
}

function registerSignatureRoutes(app: App, context: Context): void {
  app.get('/console/signatures', route(listOwnSignaturesContract), async ({ session, query }) =>
    showSignatures(await listOwnSignatures(context, session.memberId, pageRequestOf(query))),
  )

  app.get(
    '/console/signatures/:signature_id/evidence',
    route(showEvidenceContract),
    async ({ session, params }) => {
      const signature = await showEvidence(context, session.memberId, params.signature_id)
      return { ...showSignature(signature), evidence: signature.evidence }
    },
  )

  app.get(
    '/console/companies/:company_id/signatures',
    route(listSignaturesOfCompanyContract),
    async ({ session, params, query }) =>
      showSignatures(
        await listSignaturesOfCompany(context, session, params.company_id, pageRequestOf(query)),
      ),
  )
}
