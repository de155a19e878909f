/**
 * The query of an address: plain texts, and a list where a name occurs more than once. Each page reads the names it knows
 * and drops the rest.
 */
export type RawSearch = Record<string, unknown>

/** @param query with or without its question mark */
export function parseSearch(query: string): RawSearch {
  // Without a prototype, so that no name collides with one of its members.
  const search = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of new URLSearchParams(query)) {
    const known = search[name]
    search[name] = known === undefined ? value : [...[known].flat(), value]
  }
  return search
}

/** Leaves out what is undefined, null, false or empty. */
export function stringifySearch(search: RawSearch): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) {
      if (one === undefined || one === null || one === false || one === '') continue
      params.append(name, String(one))
    }
  }
  return params.size === 0 ? '' : `?${params}`
}

/** All texts under a name. */
export function readTexts(search: RawSearch, name: string): string[] {
  return [search[name]].flat().filter((value): value is string => typeof value === 'string' && value !== '')
}

/** A text under a name, the first of several. */
export function readText(search: RawSearch, name: string): string | undefined {
  const value = [search[name]].flat()[0]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** One of these words. */
export function readOneOf<Word extends string>(
  search: RawSearch,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = readText(search, name)
  return words.find((word) => word === value)
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** A calendar day such as `2026-11-21`. */
export function readDay(search: RawSearch, name: string): string | undefined {
  const value = readText(search, name)
  if (value === undefined || !dayPattern.test(value)) return undefined
  const day = new Date(value)
  // `Date` turns 30 February into a day of March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) ? value : undefined
}

/** Whether the value is `true`. */
export function readFlag(search: RawSearch, name: string): true | undefined {
  const value = [search[name]].flat()[0]
  return value === 'true' || value === true ? true : undefined
}

/** Leaves out what is undefined, as the types of a page's search want it. */
export function withoutUndefined<Search extends object>(
  search: Search,
): { [Name in keyof Search]?: Exclude<Search[Name], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never
}
