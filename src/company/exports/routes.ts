import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { DirectoryContext } from '../../context.ts'
import { requireRecentSignIn } from '../../people/members/require-recent-sign-in.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { createShareLimiter, type ShareLimiter } from '../../platform/database/share-limiter.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { checkExportContract, exportCompanyContract } from './contract.ts'
import { exportCompany } from './export-company.ts'

/** Exports of a process at the same time; of each company one. A further one is 503 with `Retry-After`. */
export const exportsMax = 2

const path = '/console/companies/:company_id/export'

/** Resolves once it is the company's turn, which lasts until the answer is sent or its connection has ended. */
async function awaitTurn(limit: ShareLimiter, companyId: string, response: ServerResponse): Promise<void> {
  const begun = Promise.withResolvers<void>()
  const ended = new Promise<void>((resolve) => response.once('close', resolve))
  limit(companyId, () => {
    begun.resolve()
    return ended
  }).catch(begun.reject)
  return begun.promise
}

/** The export of a company, for its owners. */
export async function registerExportRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)
  const limit = createShareLimiter({ runningMax: exportsMax, callerRunningMax: 1, callerWaitingMax: 1 })

  app.post(path, route(checkExportContract), async ({ session, params }, reply) => {
    await requireRole(context.pool, session, params.company_id, 'owner')
    requireRecentSignIn(context, session)
    return reply.code(204).send()
  })

  // To answer HEAD, all of it would be read.
  const withoutHead = { ...route(exportCompanyContract), exposeHeadRoute: false }
  app.get(path, withoutHead, async ({ session, params }, reply) => {
    const { company_id: companyId } = params
    await requireRole(context.pool, session, companyId, 'owner')
    requireRecentSignIn(context, session)
    await awaitTurn(limit, companyId, reply.raw)
    const at = await context.shards.ofCompany(companyId)
    return reply
      .header('content-type', 'application/x-ndjson')
      .header('content-disposition', `attachment; filename="numera-company-${companyId}.ndjson"`)
      .send(Readable.from(exportCompany(at, session, companyId), { objectMode: false }))
  })
}
