const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The path of a call as it is kept: the route's pattern with the ids that were called. What stands in the place of an id
 * and is none could be anything, a personal number too, and is left out.
 */
export const callPath = (pattern: string, params: Record<string, string>): string => {
  // Nearly every call's.
  if (!pattern.includes(':')) return pattern
  return pattern.replaceAll(/:([a-z_]+)/g, (place, name: string) => {
    const value = params[name]
    return value !== undefined && uuidPattern.test(value) ? value.toLowerCase() : place
  })
}
