import { uuidPattern } from '../../../formats/values/uuid-pattern.ts'

/**
 * The path of a call as it is kept: the route's pattern with the ids that were called. Anything else in the place
 * of an id could be a personal number, and is left out.
 */
export function callPath(pattern: string, params: Record<string, string>): string {
  // Nearly every call's.
  if (!pattern.includes(':')) return pattern
  return pattern.replaceAll(/:([a-z_]+)/g, (place, name: string) => {
    const value = params[name]
    return value !== undefined && uuidPattern.test(value) ? value.toLowerCase() : place
  })
}
