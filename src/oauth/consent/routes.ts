import { formatOrgnr } from '../../formats/values/orgnr.ts'
import type { DirectoryContext } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { toBegunOrderAnswer, toPendingAnswer } from '../../people/identity/order-answer.ts'
import { readSigningOrigin } from '../../people/identity/order-origin.ts'
import {
  requestConsentContract,
  cancelConsentContract,
  collectConsentContract,
  denyConsentContract,
  signConsentContract,
} from './contract.ts'
import { coversCompany } from './granted-access.ts'
import { requestConsent, requireRequest, toDenial, type ConsentQuestion } from './request-consent.ts'
import { cancelSigningConsent, collectConsent, startSigningConsent } from './sign-consent.ts'

function toQuestionAnswer({
  state,
  request,
  companies,
  granted,
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
      granted: granted?.permissions.includes(permission) === true,
    })),
    companies: {
      choices: companies.map(({ companyId, orgnr, name }) => ({
        company_id: companyId,
        orgnr: formatOrgnr(orgnr),
        name,
        suggested: request.companies.includes(orgnr),
        granted: coversCompany(granted, companyId),
      })),
      every_granted: granted?.everyCompany === true,
    },
    resources: request.resources.map((resource) => ({
      resource,
      granted: granted?.resources.includes(resource) === true,
    })),
    ends_at: endsAt.toISOString(),
    adds: granted !== undefined,
  }
}

/** A member's consent to what an app requests: for the authorize page. */
export async function registerConsentRoutes(
  app: App,
  context: DirectoryContext & WithIdentity,
): Promise<void> {
  await guardSession(app, context)

  app.post('/console/authorize', route(requestConsentContract), async ({ session, body }) => {
    const question = await requestConsent(context, session.memberId, body.query)
    return question.state === 'consent' ? toQuestionAnswer(question) : question
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
      readSigningOrigin(context, request, body),
    )
    if (begun.state === 'redirect') return begun
    return { state: begun.state, ...toBegunOrderAnswer(context, begun.order) }
  })

  app.post(
    '/console/authorize/sign/:order_id/collect',
    route(collectConsentContract),
    async ({ session, params, body }) => {
      const progress = await collectConsent(context, session.memberId, body.query, params.order_id)
      return progress.state === 'pending' ? toPendingAnswer(progress) : progress
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
      location: outcome.kind === 'redirect' ? outcome.location : toDenial(context, outcome.request),
    }
  })
}
