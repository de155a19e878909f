import { invalidArgument } from '../errors/errors.ts'
import { shownName } from './query-parameters.ts'

/** A query as parsed by the router: a parameter that is given twice is a list. */
export type RawQuery = Readonly<Record<string, unknown>>

/**
 * The text of a parameter; undefined if it is not given.
 *
 * @throws 400 with the parameter's name if it is given more than once, or holds what no stored text can
 */
export function queryText(query: RawQuery, name: string): string | undefined {
  const value = query[name]
  if (value === undefined) return undefined
  const shown = shownName(name)
  if (typeof value !== 'string') {
    throw invalidArgument(`${shown} is given more than once: give it once.`, shown)
  }
  // Legal in a URL, illegal in the database [all.text].
  if (value.includes('\0') || !value.isWellFormed())
    throw invalidArgument(`${shown} is not valid text.`, shown)
  return value
}
