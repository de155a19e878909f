import { invalidArgument } from '../../platform/http/errors/errors.ts'
import { queryText, type RawQuery } from '../../platform/http/requests/query-text.ts'
import type { LabelFilter } from './report-value.ts'

/** Values in the label filters of one call, and in those with `not.`; more are 400. */
const filterValuesMax = 200

/**
 * The parameters `<prefix><label>`, repeated for each value.
 *
 * @throws 400 with the parameter's name
 */
export function queryFilter(query: RawQuery, prefix: 'where.' | 'label.' | 'not.'): LabelFilter {
  const filter = new Map<string, readonly string[]>()
  let count = 0
  for (const name of Object.keys(query)) {
    if (!name.startsWith(prefix)) continue
    const values = queryTexts(query, name)
    count += values.length
    if (count > filterValuesMax) {
      throw invalidArgument(`At most ${filterValuesMax} values may be named.`, name)
    }
    filter.set(name.slice(prefix.length), values)
  }
  return filter
}

/** The different values of a parameter that may be repeated. @throws 400 with the parameter's name */
export function queryTexts(query: RawQuery, name: string): string[] {
  const given = query[name] ?? []
  const values = Array.isArray(given) ? given : [given]
  return [...new Set(values.map((value) => queryText({ [name]: value }, name)!))]
}
