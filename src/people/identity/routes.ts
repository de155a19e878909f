import type { DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { clientNetwork } from '../../platform/http/requests/client-network.ts'
import { enforceRate } from '../../platform/rate-limit/enforce-rate.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { readCookie, setCookie } from '../sessions/session-cookie.ts'
import { sessionOrigin } from '../sessions/session-origin.ts'
import {
  cancelSignInContract,
  collectSignInContract,
  listOwnSignaturesContract,
  returnFromAppContract,
  showEvidenceContract,
  startSignInContract,
} from './contract.ts'
import type { WithIdentity } from './identity-provider.ts'
import { findEvidence, listSignaturesOfMember, type Signature } from './list-signatures.ts'
import { toBegunOrderAnswer, toPendingAnswer } from './order-answer.ts'
import { readOrderOrigin } from './order-origin.ts'
import { returnFromApp } from './order.ts'
import { cancelSignIn, collectSignIn, signInRate, startSignIn } from './sign-in.ts'

function toSignatureAnswer(signature: Signature) {
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

/** Signing in, and what was signed: for the pages. */
export async function registerIdentityRoutes(
  app: App,
  context: DirectoryContext & WithIdentity,
): Promise<void> {
  await guardSession(app, context)
  const { clock, config } = context

  app.post('/console/sign-in', route(startSignInContract), async (request, reply) => {
    const subject = `sign_in ${clientNetwork(request.ip)}`
    const message = 'Too many sign-ins were started from this network. Wait a moment, then try again.'
    await enforceRate(context, subject, signInRate, message)
    const origin = readOrderOrigin(context, request, request.body)
    const begun = await startSignIn(context, origin, readCookie(config, request, 'numera_order'))
    setCookie(config, reply, 'numera_order', begun.browserToken, begun.expiresAt.getTime() - clock.now())
    return toBegunOrderAnswer(context, begun)
  })

  app.post('/console/sign-in/:order_id/collect', route(collectSignInContract), async (request, reply) => {
    const browserToken = readCookie(config, request, 'numera_order')
    const browser = {
      origin: sessionOrigin(request, context.identity.demo),
      sessionToken: readCookie(config, request, 'numera_session'),
    }
    const { order_id: orderId } = request.params
    const progress = await collectSignIn(context, orderId, browserToken, browser, app.recordSessionEvent)
    if (progress.state === 'pending') return toPendingAnswer(progress)
    if (progress.state === 'failed') return progress
    const { token, expiresAt } = progress.session
    // The order's cookie stays until it expires: a sign-in in another tab uses it too.
    setCookie(config, reply, 'numera_session', token, expiresAt.getTime() - clock.now())
    return { state: progress.state, member_id: progress.memberId }
  })

  app.post('/console/sign-in/:order_id/cancel', route(cancelSignInContract), async (request, reply) => {
    await cancelSignIn(context, request.params.order_id, readCookie(config, request, 'numera_order'))
    return reply.code(204).send()
  })

  app.post('/console/sign-in/return', route(returnFromAppContract), async (request) => {
    const cookies = (['numera_order', 'numera_session'] as const).map((name) =>
      readCookie(config, request, name),
    )
    return { return_to: await returnFromApp(context, request.body.return_nonce, cookies) }
  })

  app.get('/console/signatures', route(listOwnSignaturesContract), async ({ session, query }) => {
    const page = await listSignaturesOfMember(context, session.memberId, toPageRequest(query))
    return { signatures: page.items.map(toSignatureAnswer), next_cursor: page.nextCursor }
  })

  app.get(
    '/console/signatures/:signature_id/evidence',
    route(showEvidenceContract),
    async ({ session, params }) => {
      const signature = await findEvidence(context, session.memberId, params.signature_id)
      return { ...toSignatureAnswer(signature), evidence: signature.evidence }
    },
  )
}
