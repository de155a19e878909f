import type { DirectoryContext } from '../../context.ts'
import { readMarks } from '../attention/mark-attention.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { createLinkContract, endLinkContract, listLinksContract } from './contract.ts'
import type { Link } from './link.ts'
import { createLink, endLink, listLinks } from './manage-links.ts'
import { linkHeaders } from './open-link.ts'
import { writeFeed } from './write-feed.ts'

const links = '/console/companies/:company_id/links'

function toAnswer(link: Link) {
  return {
    link_id: link.linkId,
    kind: link.kind,
    name: link.name,
    report: link.report,
    created_by: { member_id: link.createdBy.memberId, name: link.createdBy.name },
    created_at: link.createdAt,
    expires_at: link.expiresAt,
    used_on: link.usedOn,
  }
}

/** Read-only links, for the pages. */
export async function registerLinkRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)

  app.get(links, route(listLinksContract), async ({ session, params }) => ({
    links: (await listLinks(context, session, params.company_id)).map(toAnswer),
  }))

  app.post(links, route(createLinkContract), async ({ session, params, body }, reply) => {
    const { link, address } = await createLink(context, session, params.company_id, body)
    return reply.code(201).send({ link: toAnswer(link), address })
  })

  app.delete(`${links}/:link_id`, route(endLinkContract), async ({ session, params }, reply) => {
    await endLink(context, session, params.company_id, params.link_id)
    return reply.code(204).send()
  })
}

/** What needs attention, as a feed. Not part of the API documents. */
export async function registerFeedRoute(app: App, context: DirectoryContext): Promise<void> {
  app.get<{ Params: { file: string } }>('/feeds/:file', async ({ params }, reply) => {
    const link = await app.openLink('feed', params.file)
    const { companyId } = link.company
    const at = await context.shards.ofCompany(companyId)
    const open = await app.reads.limitOn(at.readPool)(companyId, async () => {
      const { items } = await app.listAttention(at, link.company, 'developer')
      const getMark = await readMarks(at, companyId)
      return items.filter((item) => getMark(item) === null)
    })
    const bytes = Buffer.from(writeFeed(link, open, context.config.baseUrl))
    app.reads.reserve(reply.raw, companyId, bytes)
    return reply.headers(linkHeaders).type('application/atom+xml; charset=utf-8').send(bytes)
  })
}
