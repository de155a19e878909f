import type { Context } from '../service/context.ts'
import type { AppPermission } from '../access/app-permissions.ts'
import { selectHeldAccess, type HeldAccessRow } from './queries.ts'

/** What a member allows an app now. */
export interface HeldAccess {
  connectionId: string
  permissions: AppPermission[]
  /** All companies of the member, later ones too. */
  everyCompany: boolean
  /** The chosen ones; the member may have lost some since. */
  companyIds: string[]
  resources: string[]
  expiresAt: Date
}

export function toHeldAccess(row: HeldAccessRow): HeldAccess {
  return {
    connectionId: row.connection_id,
    permissions: row.permissions,
    everyCompany: row.every_company,
    companyIds: row.company_ids,
    resources: row.resources,
    expiresAt: row.expires_at,
  }
}

export function coversCompany(held: HeldAccess | undefined, companyId: string): boolean {
  return held !== undefined && (held.everyCompany || held.companyIds.includes(companyId))
}

/** Undefined where the app has no access, or none any more. */
export async function findHeldAccess(
  context: Pick<Context, 'pool' | 'clock'>,
  clientId: string,
  memberId: string,
): Promise<HeldAccess | undefined> {
  const row = await selectHeldAccess.first(context.pool, {
    clientId,
    memberId,
    at: new Date(context.clock.now()),
  })
  return row && toHeldAccess(row)
}
