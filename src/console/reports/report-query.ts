import { invalidArgument } from '../../platform/http/errors/errors.ts'
import { readInstant, storableInstant } from '../../platform/reads/read-instant.ts'
import { queryText, type RawQuery } from '../../platform/http/requests/query-text.ts'
import type { LabelFilter } from './report-metric.ts'

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
    const given = query[name]
    const values = (Array.isArray(given) ? given : [given]).map((value) =>
      queryText({ [name]: value }, name)!,
    )
    count += values.length
    if (count > filterValuesMax) {
      throw invalidArgument(`At most ${filterValuesMax} values may be named.`, name)
    }
    filter.set(name.slice(prefix.length), [...new Set(values)])
  }
  return filter
}

/** `as_of` as a statement parameter. @throws 400 with field `as_of` */
export function queryInstant(query: { as_of?: string }): string | undefined {
  return query.as_of === undefined ? undefined : storableInstant(readInstant(query.as_of, 'as_of'))
}
