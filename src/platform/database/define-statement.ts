import type { QueryResult, QueryResultRow } from 'pg'
import type { Queryable } from './pool.ts'

/** A statement's arguments: a value for each of its parameters, by name. */
export type Parameters = Readonly<Record<string, unknown>> | readonly unknown[]

export interface Statement<Row extends QueryResultRow, Params extends Parameters> {
  readonly name: string
  /** The text for the server, with numbered parameters. */
  readonly text: string
  /** The values in the order of the numbered parameters. */
  toValues(params: Params): readonly unknown[]
  run(on: Queryable, params: Params): Promise<QueryResult<Row>>
  /** All rows. */
  rows(on: Queryable, params: Params): Promise<Row[]>
  /** The first row, or undefined if there is none. */
  first(on: Queryable, params: Params): Promise<Row | undefined>
}

// A name identifies a prepared statement on each connection; the same name for two texts would be a run-time error, and
// only on connections that happen to get both.
const textByName = new Map<string, string>()
/** Of the server's 63, less the schema that a connection puts before it, such as `shard_1000.`. */
const nameBytesMax = 52

/** The statements defined so far: their texts as written, by name. For the tests that check all of them. */
export function definedStatements(): ReadonlyMap<string, string> {
  return textByName
}

/** A named parameter, such as `$companyId`. The server itself only has numbered ones. */
const parameterPattern = /\$([a-z]\w*)/gi

/**
 * A named statement: parsed and planned once per connection, then only bound. Names are unique in the program and have
 * the form `area.verb-noun`, such as `deliveries.insert-pushes`. Parameters are written `$companyId::uuid` and passed
 * by name. Cast every one, since binary parameters are not converted.
 */
export function defineStatement<
  Row extends QueryResultRow = QueryResultRow,
  Params extends Parameters = readonly unknown[],
>(name: string, namedText: string): Statement<Row, Params> {
  const parameters: string[] = []
  const text = namedText.replaceAll(parameterPattern, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter)
    return `$${parameters.indexOf(parameter) + 1}`
  })
  if (Buffer.byteLength(name) > nameBytesMax) throw new Error(`statement name too long: ${name}`)
  if ((textByName.get(name) ?? namedText) !== namedText) throw new Error(`two statements are named ${name}`)
  textByName.set(name, namedText)

  const toValues = (params: Params): readonly unknown[] =>
    Array.isArray(params)
      ? params
      : parameters.map((parameter) => (params as Readonly<Record<string, unknown>>)[parameter])
  const run = (on: Queryable, params: Params): Promise<QueryResult<Row>> =>
    on.query<Row>({ name, text, values: toValues(params) as unknown[] })
  return {
    name,
    text,
    toValues,
    run,
    rows: async (on, params) => (await run(on, params)).rows,
    first: async (on, params) => (await run(on, params)).rows[0],
  }
}
