/**
 * The query of an address, as the router reads and writes it: plain texts, and a list where a name stands more than once.
 * Each page says which names it knows and what they may be; the rest is dropped.
 */
export type RawSearch = Record<string, unknown>

/** @param query with or without its question mark */
export function parseSearch(query: string): RawSearch {
  // Without a prototype, which a name could otherwise be one of.
  const search = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of new URLSearchParams(query)) {
    const known = search[name]
    search[name] = known === undefined ? value : [...[known].flat(), value]
  }
  return search
}

/** What is undefined, null, false or empty is left out. */
export function stringifySearch(search: RawSearch): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) {
      if (one === undefined || one === null || one === false || one === '') continue
      params.append(name, String(one))
    }
  }
  const query = params.toString()
  return query === '' ? '' : `?${query}`
}

/** A text under a name, the first of several. */
export function readText(search: RawSearch, name: string): string | undefined {
  const value = [search[name]].flat()[0]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** All texts under a name. */
export function readTexts(search: RawSearch, name: string): string[] {
  return [search[name]].flat().filter((value): value is string => typeof value === 'string' && value !== '')
}

/** One of a few words; undefined for any other. */
export function readOneOf<Word extends string>(
  search: RawSearch,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = readText(search, name)
  return words.find((word) => word === value)
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** A day that there is, such as `2026-11-21`. */
export function readDay(search: RawSearch, name: string): string | undefined {
  const value = readText(search, name)
  if (value === undefined || !dayForm.test(value)) return undefined
  const day = new Date(value)
  // `Date` moves 30 February into March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) ? value : undefined
}

/** Whether a name is there as `true`. */
export function readFlag(search: RawSearch, name: string): true | undefined {
  const value = [search[name]].flat()[0]
  return value === 'true' || value === true ? true : undefined
}
