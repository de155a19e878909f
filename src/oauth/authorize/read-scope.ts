import { appPermissions, type AppPermission } from '../../access/app-permissions.ts'
import { valueOf, type Parameters } from './parameters.ts'
import { RedirectError } from './redirect-error.ts'

/**
 * The permissions that are asked for: those of `scope` (RFC 6749, 3.3), or every one that an app may hold where there is
 * none.
 *
 * @throws `invalid_scope` for one that does not exist or that no app may hold
 */
export const readScope = (parameters: Parameters): AppPermission[] => {
  const scope = valueOf(parameters, 'scope')
  if (scope === undefined) return [...appPermissions]
  const asked = new Set(scope.split(' ').filter((name) => name !== ''))
  const permissions = appPermissions.filter((permission) => asked.has(permission))
  if (permissions.length === 0 || permissions.length < asked.size) {
    throw new RedirectError('invalid_scope', 'The scope names a permission that an app cannot be allowed.')
  }
  return permissions
}
