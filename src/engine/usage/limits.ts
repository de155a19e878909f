import { companyLimits, type CompanyLimits, type Config } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { selectLimits } from './queries.ts'

/** What the operator set for one company; null: the deployment's default. */
export type OwnLimits = Record<keyof CompanyLimits, number | null>

/** What was set for a company. */
export async function readOwnLimits(on: Queryable, companyId: string): Promise<OwnLimits> {
  const row = await selectLimits.first(on, { companyId })
  const own = companyLimits.map((limit) => {
    const value = row?.[limit] ?? null
    return [limit, value === null ? null : Number(value)] as const
  })
  return Object.fromEntries(own) as OwnLimits
}

/** The limits of a company. */
export async function readLimits(
  context: Pick<{ config: Config }, 'config'>,
  on: Queryable,
  companyId: string,
): Promise<CompanyLimits> {
  const own = await readOwnLimits(on, companyId)
  const limits = companyLimits.map((limit) => [limit, own[limit] ?? context.config.companyLimits[limit]])
  return Object.fromEntries(limits) as CompanyLimits
}
