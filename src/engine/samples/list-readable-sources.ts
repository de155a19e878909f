import type { Context } from '../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { readSources, type ReadableSourceRow } from './queries.ts'

/**
 * The sources of a company that a connection may name, in the order of their creation: the one it is bound to, or all; with `pushOnly`
 * those that take pushes.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listReadableSources(
  context: Pick<Context, 'pool'>,
  named: { companyId: string; boundSourceId: string | null; pushOnly: boolean },
  request: PageRequest = {},
): Promise<Page<ReadableSourceRow>> {
  const { after, limit } = pageRows(request)
  const rows = await readSources.rows(context.pool, { ...named, after, limit: limit + 1 })
  return toPage(rows, limit, (row) => row.source_id)
}
