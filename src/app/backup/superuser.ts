import type { Client } from 'pg'
import { openClient } from '../../platform/database/open-client.ts'

/** How long a statement may take, in milliseconds: the checkpoint at the beginning of a base among them. */
const statementMsMax = 30 * 60_000

/** Opens a connection of the built-in database's superuser, which backups need. */
export function connectAsSuperuser(adminUrl: string): Promise<Client & AsyncDisposable> {
  return openClient(adminUrl, { name: 'numera backup', statementTimeoutMs: statementMsMax })
}
