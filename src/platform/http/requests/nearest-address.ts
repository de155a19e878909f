import { nearestName } from '../../../formats/values/nearest-name.ts'
import { uuidPattern } from '../../../formats/values/uuid-pattern.ts'
import type { RouteEntry } from '../route-table.ts'

/** Longer paths are compared with none: no address of the API is nearly as long. */
const comparedPathCharactersMax = 200

/** Programs do not call these by hand. */
const pagesOnly = /^\/(?:console|assets|docs)(?:\/|$)/i

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * The address of the public API that a wrong path most likely means, written as in its document: one that ends
 * alike (`/ingest`, `//v1/ingest`, `/v1/samples/`), else the nearest by its letters.
 */
export function nearestAddress(path: string, entries: readonly RouteEntry[]): string | undefined {
  if (path.length > comparedPathCharactersMax || pagesOnly.test(path)) return undefined
  const given = path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (uuidPattern.test(segment) ? '{}' : segment))
    .join('/')
  if (given === '') return undefined
  const known = new Map<string, string>()
  for (const { pattern, contract } of entries) {
    if (contract?.api !== 'public' || pattern.startsWith('/.')) continue
    known.set(pattern.slice(1).replaceAll(/:[a-z_]+/g, '{}'), pattern.replaceAll(/:([a-z_]+)/g, '{$1}'))
  }
  const names = [...known.keys()]
  const end = lastSegment(given)
  const near = names.find((name) => end !== '{}' && lastSegment(name) === end) ?? nearestName(given, names)
  return near === undefined ? undefined : known.get(near)
}
