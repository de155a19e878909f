import type { Context } from '../service/context.ts'
import { notFound } from '../http/errors.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import type { CompanyName } from './app-connection.ts'
import { selectCalls, selectIsOwn } from './queries.ts'
import { toCompanyName } from './to-app-connection.ts'

/** One answered call of an app. */
export interface AppCall {
  callId: string
  /** Null where it was about none, or about none that the app may read. */
  company: CompanyName | null
  method: string
  /** Without the query. */
  path: string
  status: number
  /** Of the error; null for a success. */
  code: string | null
  calledAt: Date
}

/**
 * What an app has called for a member, newest first.
 *
 * @throws 404 where there is no such connection, or it is another member's; 400 with field `cursor` or `limit`
 */
export async function listAppCalls(
  context: Pick<Context, 'pool'>,
  memberId: string,
  connectionId: string,
  request: PageRequest = {},
): Promise<Page<AppCall>> {
  const { after, limit } = pageRows(request)
  if ((await selectIsOwn.first(context.pool, { connectionId, memberId })) === undefined) throw notFound()
  const rows = await selectCalls.rows(context.pool, { connectionId, before: after, limit: limit + 1 })
  const calls = rows.map((row) => ({
    callId: row.call_id,
    company:
      row.company_id === null
        ? null
        : toCompanyName({ company_id: row.company_id, orgnr: row.orgnr, name: row.name }),
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    calledAt: row.called_at,
  }))
  return pageOf(calls, limit, (call) => call.callId)
}
