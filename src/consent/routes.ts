import { formatOrgnr } from '../values/orgnr.ts'
import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { signingOrigin, showBegunOrder, showPending } from '../identity/show-order.ts'
import { askForConsent, type ConsentQuestion } from './ask-for-consent.ts'
import {
  askForConsentContract,
  cancelConsentContract,
  collectConsentContract,
  denyConsentContract,
  signConsentContract,
} from './contract.ts'
import { denyConsent } from './deny-consent.ts'
import { coversCompany } from './held-access.ts'
import { requireRequest } from './require-request.ts'
import { cancelSigningConsent, collectConsent, startSigningConsent } from './sign-consent.ts'

function showQuestion({
  state,
  request,
  companies,
  held,
  endsAt,
}: Extract<ConsentQuestion, { state: 'consent' }>) {
  return {
    state,
    app: {
      client_id: request.app.clientId,
      client_name: request.app.clientName,
      redirect_host: new URL(request.redirectUri).host,
      redirect_uri: request.redirectUri,
    },
    permissions: request.permissions.map((permission) => ({
      permission,
      held: held?.permissions.includes(permission) === true,
    })),
    companies: {
      choices: companies.map(({ companyId, orgnr, name }) => ({
        company_id: companyId,
        orgnr: formatOrgnr(orgnr),
        name,
        suggested: request.companies.includes(orgnr),
        held: coversCompany(held, companyId),
      })),
      every_held: held?.everyCompany === true,
    },
    resources: request.resources.map((resource) => ({
      resource,
      held: held?.resources.includes(resource) === true,
    })),
    ends_at: endsAt.toISOString(),
    adds: held !== undefined,
  }
}

/** A member's consent to what an app requests: for the authorize page. */
export async function registerConsentRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)

  app.post('/console/authorize', route(askForConsentContract), async ({ session, body }) => {
    const question = await askForConsent(context, session.memberId, body.query)
    return question.state === 'consent' ? showQuestion(question) : question
  })

  app.post('/console/authorize/sign', route(signConsentContract), async (request) => {
    const { session, body } = request
    const begun = await startSigningConsent(
      context,
      session,
      body.query,
      {
        permissions: body.permissions,
        every: body.companies.every,
        companyIds: body.companies.company_ids ?? [],
        language: body.language ?? 'en',
      },
      signingOrigin(context, request, body),
    )
    if (begun.state === 'redirect') return begun
    return { state: begun.state, ...showBegunOrder(context, begun.order) }
  })

  app.post(
    '/console/authorize/sign/:order_id/collect',
    route(collectConsentContract),
    async ({ session, params, body }) => {
      const progress = await collectConsent(context, session.memberId, body.query, params.order_id)
      return progress.state === 'pending' ? showPending(progress) : progress
    },
  )

  app.post(
    '/console/authorize/sign/:order_id/cancel',
    route(cancelConsentContract),
    async ({ session, params }, reply) => {
      await cancelSigningConsent(context, session.memberId, params.order_id)
      return reply.code(204).send()
    },
  )

  app.post('/console/authorize/deny', route(denyConsentContract), async ({ body }) => {
    const outcome = await requireRequest(context, body.query)
    return {
      location: outcome.kind === 'redirect' ? outcome.location : denyConsent(context, outcome.request),
    }
  })
}
