import { type RawSearch, readOneOf, readText } from '../ui/search-params.ts'

/** The query of the sources' address. */
export interface SourcesSearch {
  /** The column that they are sorted by; descending with a leading `-`. */
  sort?: string | undefined
}

export function parseSourcesSearch(search: RawSearch): SourcesSearch {
  return { sort: readText(search, 'sort') }
}

/** The query of one source's address. */
export interface SourceSearch {
  /** The dialog that is open. */
  ask?: 'pause' | undefined
}

export function parseSourceSearch(search: RawSearch): SourceSearch {
  return { ask: readOneOf(search, 'ask', ['pause']) }
}

export const formSteps = ['name', 'channel', 'fields', 'time', 'delivers', 'metrics'] as const
export type FormStep = (typeof formSteps)[number]

/** The query of the form's address: its step, else the first, and the delivery that is previewed with the draft. */
export interface FormSearch {
  step?: FormStep | undefined
  delivery?: string | undefined
}

export function parseFormSearch(search: RawSearch): FormSearch {
  return { step: readOneOf(search, 'step', formSteps), delivery: readText(search, 'delivery') }
}

/** The two versions that are compared, else the last two. */
export interface VersionsSearch {
  left?: string | undefined
  right?: string | undefined
}

export function parseVersionsSearch(search: RawSearch): VersionsSearch {
  const [left, right] = ['left', 'right'].map(
    (side) => /^[1-9]\d{0,8}$/.exec(readText(search, side) ?? '')?.[0],
  )
  return { left, right }
}
