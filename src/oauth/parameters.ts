import { appPermissions, type AppPermission } from '../people/access/app-permissions.ts'

/** Every value of each parameter, in the order of the request; empty ones too. */
export type OauthParameters = ReadonlyMap<string, readonly string[]>

/** Parses a form, or a query with or without its question mark (RFC 6749, appendix B). */
export function readParameters(query: string): OauthParameters {
  const parameters = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) {
    const values = parameters.get(name)
    if (values === undefined) parameters.set(name, [value])
    else values.push(value)
  }
  return parameters
}

/** The values of a parameter. An empty one counts as absent [oauth.basics]. */
export function getValues(parameters: OauthParameters, name: string): string[] {
  return (parameters.get(name) ?? []).filter((value) => value !== '')
}

/** The value of a parameter that was given once; undefined if it is absent, or was given twice. */
export function getValue(parameters: OauthParameters, name: string): string | undefined {
  const values = parameters.get(name) ?? []
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

/**
 * What is wrong if a parameter was given more than once (RFC 6749, 3.1 and 3.2), even an unknown or an empty one. Only
 * `resource` may be repeated, once for each server (RFC 8707, 2).
 */
export function describeRepeated(parameters: OauthParameters): string | undefined {
  const repeated = [...parameters].find(([name, values]) => values.length > 1 && name !== 'resource')
  if (repeated === undefined) return undefined
  const [name] = repeated
  // Only what could be the name of a parameter is repeated to the client.
  return `The parameter ${/^[a-z_]{1,40}$/.test(name) ? `${name} ` : ''}was given twice.`
}

/** The permissions that a `scope` names (RFC 6749, 3.3). Undefined if it names none, or one that no app may have. */
export function readScope(scope: string): AppPermission[] | undefined {
  const names = new Set(scope.split(' ').filter((name) => name !== ''))
  const permissions = appPermissions.filter((permission) => names.has(permission))
  return permissions.length === 0 || permissions.length < names.size ? undefined : permissions
}
