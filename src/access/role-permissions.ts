import type { Role } from './role.ts'
import { appPermissions, type AppPermission } from './app-permissions.ts'

/** What a member of each role may let an app read [roles]: `reader` has both permissions, and so has every role. */
export const rolePermissions: Record<Role, readonly AppPermission[]> = {
  owner: appPermissions,
  developer: appPermissions,
  reader: appPermissions,
}

/** Whether an app may have a permission for a member of this role; null: in no particular company. */
export function appMay(permission: string, role: Role | null): boolean {
  const held: readonly string[] = role === null ? appPermissions : rolePermissions[role]
  return held.includes(permission)
}
