import type { CompanyRow } from './queries.ts'

export interface Company {
  companyId: string
  /** The kept digits: ten, or twelve for a sole trader. Never written to a log. */
  orgnr: string
  name: string
  /** IANA name. */
  timeZone: string
  createdAt: Date
}

export function toCompany(row: CompanyRow): Company {
  return {
    companyId: row.company_id,
    orgnr: row.orgnr,
    name: row.name,
    timeZone: row.time_zone,
    createdAt: row.created_at,
  }
}
