export interface CompanyRow {
  company_id: string
  shard: number
  orgnr: string
  name: string
  time_zone: string
  fiscal_year_month: number
  created_at: Date
}

/** The columns of a `CompanyRow`, as SQL. */
export const companyColumns =
  'companies.company_id, companies.shard, companies.orgnr, companies.name, companies.time_zone, ' +
  'companies.fiscal_year_month, companies.created_at'

export interface Company {
  companyId: string
  shard: number
  /** The stored digits: ten, or twelve for a sole trader. Never written to a log. */
  orgnr: string
  name: string
  /** IANA name. */
  timeZone: string
  /** The month with which its fiscal year begins, from 1 to 12. */
  fiscalYearMonth: number
  createdAt: Date
}

export function toCompany(row: CompanyRow): Company {
  return {
    companyId: row.company_id,
    shard: row.shard,
    orgnr: row.orgnr,
    name: row.name,
    timeZone: row.time_zone,
    fiscalYearMonth: row.fiscal_year_month,
    createdAt: row.created_at,
  }
}
