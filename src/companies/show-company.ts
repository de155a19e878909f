import type { Context } from '../service/context.ts'
import type { Actor } from './actor.ts'
import type { Company } from './company.ts'
import { requireRole } from './require-role.ts'

/** A company, for its members. @throws 404 as `requireRole` */
export async function showCompany(
  context: Pick<Context, 'pool'>,
  actor: Actor,
  companyId: string,
): Promise<Company> {
  return requireRole(context.pool, actor, companyId, 'reader')
}
