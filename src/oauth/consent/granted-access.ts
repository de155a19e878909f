import type { DirectoryContext } from '../../context.ts'
import type { AppPermission } from '../../people/access/app-permissions.ts'
import { selectGrantedAccess, type GrantedAccessRow } from './queries.ts'

/** What a member allows an app now. */
export interface GrantedAccess {
  connectionId: string
  permissions: AppPermission[]
  /** All companies of the member, later ones too. */
  everyCompany: boolean
  /** The chosen ones; the member may have lost some since. */
  companyIds: string[]
  resources: string[]
  expiresAt: Date
}

export function toGrantedAccess(row: GrantedAccessRow): GrantedAccess {
  return {
    connectionId: row.connection_id,
    permissions: row.permissions,
    everyCompany: row.every_company,
    companyIds: row.company_ids,
    resources: row.resources,
    expiresAt: row.expires_at,
  }
}

export function coversCompany(granted: GrantedAccess | undefined, companyId: string): boolean {
  return granted !== undefined && (granted.everyCompany || granted.companyIds.includes(companyId))
}

/** Undefined if the app has no access now. */
export async function findGrantedAccess(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  clientId: string,
  memberId: string,
): Promise<GrantedAccess | undefined> {
  const row = await selectGrantedAccess.first(pool, { clientId, memberId, at: new Date(clock.now()) })
  return row && toGrantedAccess(row)
}
