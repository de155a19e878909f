import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import { selectSources } from './queries.ts'
import { toSource, type Source } from './source.ts'

/**
 * The sources of a company in the order they were made, for every member: reports are read by source.
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
  const { after, limit } = pageRows(request)
  const at = new Date(context.clock.now())
  const rows = await selectSources.rows(context.pool, { at, companyId, after, limit: limit + 1 })
  return pageOf(rows.map(toSource), limit, (source) => source.sourceId)
}
