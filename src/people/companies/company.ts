export interface CompanyRow {
  company_id: string
  shard: number
  orgnr: string
  name: string
  time_zone: string
  created_at: Date
}

/** The columns of a `CompanyRow`, as SQL. */
export const companyColumns =
  'companies.company_id, companies.shard, companies.orgnr, companies.name, companies.time_zone, companies.created_at'

export interface Company {
  companyId: string
  shard: number
  /** The stored digits: ten, or twelve for a sole trader. Never written to a log. */
  orgnr: string
  name: string
  /** IANA name. */
  timeZone: string
  createdAt: Date
}

export function toCompany(row: CompanyRow): Company {
  return {
    companyId: row.company_id,
    shard: row.shard,
    orgnr: row.orgnr,
    name: row.name,
    timeZone: row.time_zone,
    createdAt: row.created_at,
  }
}
