/** Every value that each parameter was given, in the order they came; empty ones too. */
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
export function valuesOf(parameters: OauthParameters, name: string): string[] {
  return (parameters.get(name) ?? []).filter((value) => value !== '')
}

/** The value of a parameter that was given once; undefined where it is absent, and where it was given twice. */
export function valueOf(parameters: OauthParameters, name: string): string | undefined {
  const values = parameters.get(name) ?? []
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

/** The one parameter that may be given several times: one for each server (RFC 8707, 2). */
const repeatable = 'resource'

/** A parameter that was given more than once (RFC 6749, 3.1 and 3.2), even an unknown or an empty one. */
export function findRepeated(parameters: OauthParameters): string | undefined {
  return [...parameters].find(([name, values]) => values.length > 1 && name !== repeatable)?.[0]
}
