import type { DirectoryContext } from '../../context.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { toPage, pageRows, type PageRequest } from '../../platform/http/pagination.ts'
import { toCompanyName } from './app-connection.ts'
import { selectCalls, selectIsOwn } from './queries.ts'

/**
 * What an app has called for a member, newest first.
 *
 * @throws 404 if the member has no such connection; 400 with field `cursor` or `limit`
 */
export async function listAppCalls(
  context: Pick<DirectoryContext, 'pool'>,
  memberId: string,
  connectionId: string,
  request: PageRequest = {},
) {
  const { after, limit } = pageRows(request)
  if ((await selectIsOwn.first(context.pool, { connectionId, memberId })) === undefined) throw notFound()
  const rows = await selectCalls.rows(context.pool, { connectionId, before: after, limit: limit + 1 })
  const calls = rows.map(({ company_id, orgnr, name, ...call }) => ({
    ...call,
    company: company_id === null ? null : toCompanyName({ company_id, orgnr, name }),
  }))
  return toPage(calls, limit, (call) => call.call_id)
}
