import type { Actor } from '../../people/members/actor.ts'
import { roleCovers } from '../../people/access/role.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { Context } from '../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { selectSources } from './queries.ts'
import { readActivity, type SourceActivity } from './source-activity.ts'
import { toSource, type Source } from './source.ts'

/**
 * The sources of a company in the order they were created, for every member: reports are read by source.
 *
 * @throws 404 as `requireRole`
 */
export async function listSources(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
): Promise<Page<Source>> {
  await requireRole(context.pool, actor, companyId, 'reader')
  return pageOfSources(context, companyId, request)
}

async function pageOfSources(
  context: Pick<Context, 'pool' | 'clock'>,
  companyId: string,
  request: PageRequest,
): Promise<Page<Source>> {
  const { after, limit } = pageRows(request)
  const at = new Date(context.clock.now())
  const rows = await selectSources.rows(context.pool, { at, companyId, after, limit: limit + 1 })
  return toPage(rows.map(toSource), limit, (source) => source.sourceId)
}

export interface ListedSource {
  source: Source
  /** Null for readers. */
  activity: SourceActivity | null
}

/**
 * Like `listSources`; for developers with the activity of each source.
 *
 * @throws 404 as `requireRole`
 */
export async function listSourcesWithActivity(
  context: Pick<Context, 'pool' | 'readPool' | 'clock'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
): Promise<Page<ListedSource>> {
  const { role } = await requireRole(context.pool, actor, companyId, 'reader')
  const { items, nextCursor } = await pageOfSources(context, companyId, request)
  const activities = roleCovers(role, 'developer')
    ? await readActivity(context.readPool, companyId, items, context.clock.now())
    : undefined
  return {
    items: items.map((source) => ({ source, activity: activities?.get(source.sourceId) ?? null })),
    nextCursor,
  }
}
