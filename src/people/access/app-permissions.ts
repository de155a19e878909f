import type { Role } from './role.ts'

/** Permissions that an app may request; only service connections may have `sources.ingest`. */
export const appPermissions = ['company.read', 'metrics.read'] as const

export type AppPermission = (typeof appPermissions)[number]

/** What a member of each role may let an app read [roles]: `reader` has both permissions, and so has every role. */
const rolePermissions: Record<Role, readonly string[]> = {
  owner: appPermissions,
  developer: appPermissions,
  reader: appPermissions,
}

/** Whether an app may have a permission for a member of this role; null: in no particular company. */
export function appMay(permission: string, role: Role | null): boolean {
  const granted: readonly string[] = role === null ? appPermissions : rolePermissions[role]
  return granted.includes(permission)
}
