import { Client } from 'pg'
import { connectMsMax, keepAliveDelayMs } from '../../platform/database/deadlines.ts'

/** How long a statement may take, in milliseconds: the checkpoint at the beginning of a base among them. */
const statementMsMax = 30 * 60_000

/** Opens a connection of the built-in database's superuser, which backups need. */
export async function connectAsSuperuser(adminUrl: string): Promise<Client & AsyncDisposable> {
  const client = new Client({
    connectionString: adminUrl,
    application_name: 'numera backup',
    connectionTimeoutMillis: connectMsMax,
    statement_timeout: statementMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
  })
  // The statement under way reports a broken connection.
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
