import { readInstant, storableInstant } from '../../platform/reads/read-instant.ts'

export { queryFilter } from '../values/query-filter.ts'

/** `as_of` as a statement parameter. @throws 400 with field `as_of` */
export function queryInstant(query: { as_of?: string }): string | undefined {
  return query.as_of === undefined ? undefined : storableInstant(readInstant(query.as_of, 'as_of'))
}
