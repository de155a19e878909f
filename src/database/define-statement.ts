import type { QueryResult, QueryResultRow } from 'pg'
import { answerGraceMs } from './deadlines.ts'
import type { Queryable } from './pool.ts'

export interface Statement<Row extends QueryResultRow, Params extends readonly unknown[]> {
  readonly name: string
  readonly text: string
  run(on: Queryable, params: Params): Promise<QueryResult<Row>>
  /** All rows. */
  rows(on: Queryable, params: Params): Promise<Row[]>
  /** The first row, or undefined where there is none. */
  first(on: Queryable, params: Params): Promise<Row | undefined>
}

// A name is a prepared statement on a connection; the same name for two texts would be an error at run time,
// and only on the connection that happens to have seen both.
const textByName = new Map<string, string>()
const nameBytesMax = 63

/** The statements that have been defined so far, their texts by their names. */
export const definedStatements = (): ReadonlyMap<string, string> => textByName

/**
 * A named statement: parsed and planned once a connection, afterwards only bound. Names are unique in the
 * program; say `area.verb`, such as `deliveries.store`. Cast every parameter (`$1::uuid[]`), since binary
 * parameters are not converted. A statement that may take longer than its pool's others has a limit of its own: in its
 * transaction, before it, the server has to be told as well (`allowLonger`).
 */
export const defineStatement = <
  Row extends QueryResultRow = QueryResultRow,
  Params extends readonly unknown[] = readonly unknown[],
>(
  name: string,
  text: string,
  options: { timeoutMs?: number } = {},
): Statement<Row, Params> => {
  if (Buffer.byteLength(name) > nameBytesMax) throw new Error(`statement name too long: ${name}`)
  if ((textByName.get(name) ?? text) !== text) throw new Error(`two statements are named ${name}`)
  textByName.set(name, text)

  // The driver knows the member, its types do not.
  const timeout =
    options.timeoutMs === undefined ? undefined : { query_timeout: options.timeoutMs + answerGraceMs }
  const run = (on: Queryable, params: Params): Promise<QueryResult<Row>> =>
    on.query<Row>(
      timeout === undefined
        ? { name, text, values: params as unknown as unknown[] }
        : { name, text, values: params as unknown as unknown[], ...timeout },
    )
  return {
    name,
    text,
    run,
    rows: async (on, params) => (await run(on, params)).rows,
    first: async (on, params) => (await run(on, params)).rows[0],
  }
}

/** Lets the statements of the present transaction take so many milliseconds each, whatever the pool says. */
export const allowLonger = async (client: Queryable, timeoutMs: number): Promise<void> => {
  await client.query(`set local statement_timeout = ${Math.trunc(timeoutMs)}`)
}
