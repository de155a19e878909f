import { types, type CustomTypesConfig } from 'pg'

/** Object identifiers of PostgreSQL's built-in types (`pg_type.dat`); they never change. */
const int8 = 20
const date = 1082
const numeric = 1700
const int8Array = 1016
const dateArray = 1182
const numericArray = 1231

function asIs(text: string): string {
  return text
}
// Elements of these arrays hold neither quotes nor commas, so splitting is enough.
function plainArray(text: string): (string | null)[] {
  return text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((element) => (element === 'NULL' ? null : element))
}

const own = new Map<number, (text: string) => unknown>([
  // Values must stay exact: a double holds neither a numeric nor every int8.
  [int8, asIs],
  [numeric, asIs],
  // A calendar day is not an instant; the driver would make it midnight in this machine's time zone.
  [date, asIs],
  [int8Array, plainArray],
  [numericArray, plainArray],
  [dateArray, plainArray],
])

/**
 * How values come out of the database: `numeric` and `int8` as decimal strings, `date` as `YYYY-MM-DD`,
 * `timestamptz` as `Date`, `bytea` as `Buffer`, `json` parsed, everything else as the driver parses it.
 */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : own.get(oid)) ??
    types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
}
