import type { DirectoryContext } from '../../context.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toRenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import { listLabelNamesContract, saveLabelNamesContract } from './contract.ts'
import { readLabelNames, saveLabelNames } from './label-names.ts'

const names = '/console/companies/:company_id/label-names'

/** Names of label values, for reports on pages. */
export async function registerLabelNameRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)

  app.get(names, route(listLabelNamesContract), async (request, reply) => {
    const { session, params } = request
    const { pool } = await context.shards.ofCompany(params.company_id)
    const { companyId } = await requireRole(pool, session, params.company_id, 'reader')
    const labels = await readLabelNames(pool, companyId)
    const { bytes, etag } = toRenderedAnswer(JSON.stringify({ labels }))
    return app.reads.send({ request, reply, companyId }, etag, () => bytes)
  })

  app.put(names, route(saveLabelNamesContract), async ({ session, params, body }) => {
    const { company_id: companyId } = params
    const at = await context.shards.ofCompany(companyId)
    const { label, expected_revision: revision, names: given } = body
    return saveLabelNames(at, session, { companyId, label }, { revision, names: given })
  })
}
