import { appPermissions } from '../../access/app-permissions.ts'
import { OauthError } from '../oauth-error.ts'
import type { Form } from './read-form.ts'

export const invalidScope = (): OauthError =>
  new OauthError('invalid_scope', 'The scope may only name permissions that the refresh token holds.')

/**
 * The permissions that a refresh asks for (RFC 6749, 3.3 and 6); undefined where it names none.
 *
 * @throws `invalid_scope` for one that no app may hold
 */
export const readScope = (form: Form): string[] | undefined => {
  const scope = form.get('scope')
  if (scope === undefined) return undefined
  const asked = new Set(scope.split(' ').filter((name) => name !== ''))
  if (asked.size === 0 || !asked.isSubsetOf(new Set<string>(appPermissions))) throw invalidScope()
  return [...asked]
}
