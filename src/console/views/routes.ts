import { createForEachShard, type Context, type DirectoryContext } from '../../context.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { createAnswerCache } from '../../platform/reads/answer-cache.ts'
import type { ReportContext } from '../reports/list-reports.ts'
import { queryInstant } from '../reports/report-query.ts'
import {
  changeViewContract,
  deleteViewContract,
  listViewsContract,
  readCombinedReportContract,
  saveViewContract,
} from './contract.ts'
import { parseLines } from './line-text.ts'
import { readCombinedReport } from './read-combined-report.ts'
import { changeView, deleteView, listViews, saveView, viewAnswer } from './saved-views.ts'

/** Rendered combined reports that one process caches, in bytes. */
const combinedCacheBytesMax = 16_777_216

const company = '/console/companies/:company_id'
const view = `${company}/views/:view_id` as const

/** Combined reports, and the views that members save. */
export async function registerViewRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)
  registerCombinedRoute(app, context)
  registerSavedRoutes(app, context)
}

function registerCombinedRoute(app: App, context: DirectoryContext): void {
  const { reads } = app
  const cache = createAnswerCache(combinedCacheBytesMax)
  const toReportContext = createForEachShard((at: Context): ReportContext => {
    const { pool, readPool, clock } = at
    return { pool, readPool, clock, limit: reads.limitOn(readPool), read: reads.onBasis(at), cache }
  })
  app.get(`${company}/combined-report`, route(readCombinedReportContract), async (request, reply) => {
    const { session, params, query } = request
    const reports = toReportContext(await context.shards.ofCompany(params.company_id))
    const of = await requireRole(reports.pool, session, params.company_id, 'reader')
    const { line = [], grain, from, to, compare } = query
    const { bytes, etag } = await readCombinedReport(reports, of, {
      lines: parseLines([line].flat()),
      grain,
      from,
      to,
      yearBefore: compare === 'year',
      asOf: queryInstant(query),
    })
    return reads.send({ request, reply, companyId: of.companyId }, etag, () => bytes)
  })
}

function registerSavedRoutes(app: App, context: DirectoryContext): void {
  app.get(`${company}/views`, route(listViewsContract), async ({ session, params }) => {
    const actor = { memberId: session.memberId, companyId: params.company_id }
    return { views: (await listViews(context, actor)).map(viewAnswer) }
  })

  app.post(`${company}/views`, route(saveViewContract), async ({ session, params, body }, reply) => {
    const actor = { memberId: session.memberId, companyId: params.company_id }
    const { report, ...content } = body
    const [sourceId, metric] = [report?.source_id ?? null, report?.metric ?? null]
    return reply.code(201).send(viewAnswer(await saveView(context, actor, { ...content, sourceId, metric })))
  })

  app.patch(view, route(changeViewContract), async ({ session, params, body }) => {
    const actor = { memberId: session.memberId, companyId: params.company_id }
    const { expected_revision: expectedRevision, ...change } = body
    return viewAnswer(await changeView(context, actor, params.view_id, { expectedRevision, ...change }))
  })

  app.delete(view, route(deleteViewContract), async ({ session, params }, reply) => {
    const actor = { memberId: session.memberId, companyId: params.company_id }
    await deleteView(context, actor, params.view_id)
    return reply.code(204).send()
  })
}
