import { appPermissions, type AppPermission } from '../access/app-permissions.ts'

/**
 * The permissions that a `scope` names (RFC 6749, 3.3). Undefined where it names none, or one that does not exist or
 * that no app may hold.
 */
export function readScope(scope: string): AppPermission[] | undefined {
  const names = new Set(scope.split(' ').filter((name) => name !== ''))
  const permissions = appPermissions.filter((permission) => names.has(permission))
  return permissions.length === 0 || permissions.length < names.size ? undefined : permissions
}
