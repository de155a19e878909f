import type { DirectoryContext } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import { toBegunOrderAnswer, toPendingAnswer } from '../../people/identity/order-answer.ts'
import { readSigningOrigin } from '../../people/identity/order-origin.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { route, type App } from '../../platform/http/contract.ts'
import {
  cancelSigningDeletionContract,
  collectDeletionSignatureContract,
  showDeletionContract,
  startSigningDeletionContract,
  withdrawDeletionContract,
} from './contract.ts'
import { withdrawDeletion } from './schedule-deletion.ts'
import { showDeletion } from './show-deletion.ts'
import { cancelSigningDeletion, collectDeletionSignature, startSigningDeletion } from './sign-deletion.ts'

const path = '/console/companies/:company_id/deletion'

/** Deleting a company, for its owners. */
export async function registerDeletionRoutes(
  app: App,
  context: DirectoryContext & WithIdentity,
): Promise<void> {
  await guardSession(app, context)
  const { identity } = context
  const inShard = async (companyId: string) => ({ ...(await context.shards.ofCompany(companyId)), identity })

  app.get(path, route(showDeletionContract), async ({ session, params }) => {
    const { deletion, exportedAt, owners } = await showDeletion(context, session, params.company_id)
    return {
      deletion: deletion && {
        state: deletion.state,
        requested_at: deletion.requestedAt,
        requested_by: { member_id: deletion.requestedBy.memberId, name: deletion.requestedBy.name },
        void_at: deletion.voidAt,
        deletes_after: deletion.deletesAfter,
      },
      exported_at: exportedAt,
      owners,
    }
  })

  app.post(`${path}/sign`, route(startSigningDeletionContract), async (request) => {
    const { session, params, body } = request
    const begun = await startSigningDeletion(
      await inShard(params.company_id),
      session.memberId,
      params.company_id,
      body.language ?? 'en',
      readSigningOrigin(context, request, body),
    )
    return toBegunOrderAnswer(context, begun)
  })

  app.post(
    `${path}/sign/:order_id/collect`,
    route(collectDeletionSignatureContract),
    async ({ session, params: { company_id: companyId, order_id: orderId } }) => {
      const at = await inShard(companyId)
      const progress = await collectDeletionSignature(at, session.memberId, companyId, orderId)
      if (progress.state === 'pending') return toPendingAnswer(progress)
      return progress.state === 'complete' ? { state: progress.state } : progress
    },
  )

  app.post(
    `${path}/sign/:order_id/cancel`,
    route(cancelSigningDeletionContract),
    async ({ session, params: { company_id: companyId, order_id: orderId } }, reply) => {
      await cancelSigningDeletion(await inShard(companyId), session.memberId, companyId, orderId)
      return reply.code(204).send()
    },
  )

  app.post(`${path}/withdraw`, route(withdrawDeletionContract), async ({ session, params }, reply) => {
    await withdrawDeletion(await inShard(params.company_id), session, params.company_id)
    return reply.code(204).send()
  })
}
