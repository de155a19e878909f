import { formatOrgnr } from '../../formats/values/orgnr.ts'
import type { AppConnectionRow, CompanyNameRow } from './queries.ts'

export function toCompanyName({ company_id, orgnr, name }: CompanyNameRow) {
  return { company_id, orgnr: formatOrgnr(orgnr), name }
}

/** What a member allows an app, as the pages' API and the commands show it. */
export type AppConnection = ReturnType<typeof toAppConnection>

/** A connection with its state at an instant: it ends with its 90 days, whether that is recorded or not. */
export function toAppConnection(row: AppConnectionRow, nowMs: number) {
  const isExpired = row.ended_at === null && row.expires_at.getTime() <= nowMs
  const ended_at = isExpired ? row.expires_at : row.ended_at
  return {
    connection_id: row.connection_id,
    member_id: row.member_id,
    client_id: row.client_id,
    client_name: row.client_name,
    redirect_host: row.redirect_host,
    state: ended_at === null ? ('active' as const) : ('ended' as const),
    permissions: row.permissions,
    companies: { every: row.every_company, chosen: row.chosen.map(toCompanyName) },
    resources: row.resources,
    consented_at: row.consented_at,
    expires_at: row.expires_at,
    ended_at,
    ended_by: isExpired ? ('expiry' as const) : row.ended_by,
    last_called_at: row.last_called_at,
  }
}
