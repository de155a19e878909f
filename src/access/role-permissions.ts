import type { Role } from './role.ts'
import { appPermissions, type AppPermission } from './app-permissions.ts'

/** What a member of each role may let an app read [roles]: `reader` covers both permissions, and so all do. */
export const rolePermissions: Record<Role, readonly AppPermission[]> = {
  owner: appPermissions,
  developer: appPermissions,
  reader: appPermissions,
}

/** Whether an app may have a permission at all, and in a company for a member of this role; null for no one company. */
export function appMay(permission: string, role: Role | null): boolean {
  const held: readonly string[] = role === null ? appPermissions : rolePermissions[role]
  return held.includes(permission)
}
