import type { Context, DirectoryContext } from '../../context.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toRenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import type { AttentionItem } from './attention-item.ts'
import { listAttentionContract, markAttentionContract, readAttentionContract } from './contract.ts'
import { createListAttention, type ListAttention } from './list-attention.ts'
import { markAttention, readMarks } from './mark-attention.ts'

const attention = '/console/companies/:company_id/attention'

declare module 'fastify' {
  interface FastifyInstance {
    /** One for all that lists it: it remembers what is costly. */
    listAttention: ListAttention
  }
}

function toAnswer(item: AttentionItem) {
  const { key, version, kind, since, source, connection, metric, count, limit } = item
  return {
    key,
    version,
    kind,
    since,
    source: source && { source_id: source.sourceId, name: source.name },
    connection: connection && { connection_id: connection.connectionId, name: connection.name },
    metric,
    period_start: item.periodStart,
    artifact_id: item.artifactId,
    count,
    ends_at: item.endsAt,
    limit,
  }
}

/** To be called once, on the root instance. */
export function decorateAttention(app: App): void {
  app.decorate('listAttention', createListAttention())
}

/** Runs a read of the present in its turn, in the company's shard. */
function inTurn<Result>(
  app: App,
  at: Context,
  companyId: string,
  read: () => Promise<Result>,
): Promise<Result> {
  return app.reads.limitOn(at.readPool)(companyId, read)
}

/** What needs attention, for the pages. */
export async function registerAttentionRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)

  app.get(attention, route(listAttentionContract), async (request, reply) => {
    const { company_id: companyId } = request.params
    const company = await requireRole(context.pool, request.session, companyId, 'reader')
    const at = await context.shards.ofCompany(companyId)
    const { items, more, getMark } = await inTurn(app, at, companyId, async () => ({
      ...(await app.listAttention(at, company, company.role)),
      getMark: await readMarks(at, companyId),
    }))
    const answer = items.map((item) => {
      const mark = getMark(item)
      const done = mark && { member_id: mark.memberId, name: mark.name, at: mark.at }
      return { ...toAnswer(item), done }
    })
    const { bytes, etag } = toRenderedAnswer(JSON.stringify({ items: answer, more }))
    return app.reads.send({ request, reply, companyId }, etag, () => bytes)
  })

  app.post(`${attention}/marks`, route(markAttentionContract), async (request, reply) => {
    const { session, params, body } = request
    const company = await requireRole(context.pool, session, params.company_id, 'reader')
    const at = await context.shards.ofCompany(params.company_id)
    const member = { memberId: session.memberId, role: company.role }
    await markAttention(at, app.listAttention, company, member, body)
    return reply.code(204).send()
  })
}

/** The same for connections and apps. */
export async function registerAttentionReadRoute(app: App, context: DirectoryContext): Promise<void> {
  app.get('/v1/attention', route(readAttentionContract), async (request, reply) => {
    const { sandbox, boundSourceId, kind, company } = request.admission
    const { companyId } = company!
    const at = context.shards.get(company!.shard)
    const { items, more, getMark } = await inTurn(app, at, companyId, async () => ({
      ...(await app.listAttention(at, company!, kind === 'delegated' ? 'reader' : 'developer')),
      getMark: await readMarks(at, companyId),
    }))
    const seen = items.filter(
      ({ source }) => !sandbox && (boundSourceId === null || source?.sourceId === boundSourceId),
    )
    const answer = seen.map((item) => ({ ...toAnswer(item), done_at: getMark(item)?.at ?? null }))
    const { bytes, etag } = toRenderedAnswer(JSON.stringify({ items: answer, more: more && !sandbox }))
    return app.reads.send({ request, reply, companyId }, etag, () => bytes)
  })
}
