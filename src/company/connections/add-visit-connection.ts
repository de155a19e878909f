import { hashSecret, getLastFour, newSecret } from '../../platform/keys/secrets.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { insertConnection, insertCredential } from './queries.ts'

/**
 * A sandbox connection for a visitor of a demo, bound to a source. Like the demo connection it belongs to no member and is
 * not signed, so it may only give access to what this visitor sends.
 *
 * @returns its static credential, returned only here
 */
export async function addVisitConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  companyId: string,
  sourceId: string,
  expiresAt: Date,
): Promise<string> {
  const now = context.clock.now()
  const at = new Date(now)
  const connectionId = uuidv7(now)
  const credential = newSecret('nsk_')
  await inDirectoryTransaction(context.pool, async (client) => {
    await insertConnection.run(client, {
      companyId,
      connectionId,
      sourceId,
      name: 'Visit',
      kind: 'sandbox',
      credentialKind: 'static',
      permissions: ['sources.ingest', 'metrics.read'],
      clientId: null,
      createdBy: null,
      createdAt: at,
      signedAt: at,
      expiresAt,
    })
    await insertCredential.run(client, {
      credentialHash: hashSecret(credential),
      connectionId,
      kind: 'static',
      lastFour: getLastFour(credential),
      createdAt: at,
    })
  })
  return credential
}
