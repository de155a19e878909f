import { Client } from 'pg'
import { connectMsMax, keepAliveDelayMs } from './deadlines.ts'

export interface OpenClientOptions {
  /** Shown in the database's list of connections. */
  name: string
  /** Unbounded by default: for what copies or migrates whole tables. */
  statementTimeoutMs?: number
}

/** A connection outside all pools, for work that keeps its session or outlasts a pool's limits. End or dispose of it. */
export async function openClient(
  url: string,
  { name, statementTimeoutMs }: OpenClientOptions,
): Promise<Client & AsyncDisposable> {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMsMax,
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
  })
  // The statement under way reports a broken connection.
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
