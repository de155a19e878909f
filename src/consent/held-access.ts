import type { Context } from '../service/context.ts'
import type { AppPermission } from '../access/app-permissions.ts'
import { selectActiveConnection, type ConnectionRow } from '../oauth/authorize/queries.ts'

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

export const toHeldAccess = (row: ConnectionRow): HeldAccess => ({
  connectionId: row.connection_id,
  permissions: row.permissions,
  everyCompany: row.every_company,
  companyIds: row.company_ids,
  resources: row.resources,
  expiresAt: row.expires_at,
})

export const coversCompany = (held: HeldAccess | undefined, companyId: string): boolean =>
  held !== undefined && (held.everyCompany || held.companyIds.includes(companyId))

/** Undefined where the app has no access, or none any more. */
export const findHeldAccess = async (
  context: Pick<Context, 'pool' | 'clock'>,
  clientId: string,
  memberId: string,
): Promise<HeldAccess | undefined> => {
  const row = await selectActiveConnection.first(context.pool, [
    clientId,
    memberId,
    new Date(context.clock.now()),
  ])
  return row && toHeldAccess(row)
}
