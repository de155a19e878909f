import type { Contract } from './contract.ts'

export interface RouteEntry {
  method: string
  /** As registered: `/v1/deliveries/:artifact_id`. */
  pattern: string
  contract: Contract | undefined
}

/** The routes of the app, to answer for what none of them took. */
export interface RouteTable {
  entries: RouteEntry[]
  add(entry: RouteEntry): void
  /** The routes of every method whose pattern the path fits. Not for the hot path. */
  at(path: string): RouteEntry[]
}

/** Whether a path (decoded, without query) fits a pattern of `:parameters` and a last `*`. */
export function fitsPattern(pattern: string, path: string): boolean {
  // A page for everything says nothing about which addresses are known.
  if (pattern === '*' || pattern === '/*') return false
  const wanted = pattern.split('/')
  const given = path.split('/')
  for (const [index, part] of wanted.entries()) {
    if (part === '*') return true
    const segment = given[index]
    if (segment === undefined) return false
    if (part.startsWith(':') ? segment === '' : segment !== part) return false
  }
  return wanted.length === given.length
}

export function createRouteTable(): RouteTable {
  const entries: RouteEntry[] = []
  return {
    entries,
    add: (entry) => void entries.push(entry),
    at: (path) => entries.filter((entry) => fitsPattern(entry.pattern, path)),
  }
}

/** The path of a request target as the router reads it; undefined where it cannot be decoded. */
export function toPath(target: string): string | undefined {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!
  try {
    return decodeURI(path)
  } catch {
    return undefined
  }
}
