import { hashSecret, getLastFour } from '../../platform/keys/secrets.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { endOtherCredentials, insertConnection, selectDemoConnection, upsertCredential } from './queries.ts'

/**
 * The demo connection of a demo deployment [demo.deployment]: it reads its source's samples with a published credential,
 * belongs to no member, and never expires. Adding it again changes nothing; a different credential replaces the previous
 * one.
 *
 * @param credential from the configuration
 * @returns the connection's id
 */
export async function addDemoConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  companyId: string,
  sourceId: string,
  credential: string,
): Promise<string> {
  const now = context.clock.now()
  const at = new Date(now)
  const credentialHash = hashSecret(credential)
  return inDirectoryTransaction(context.pool, async (client) => {
    const present = await selectDemoConnection.first(client, { companyId, sourceId })
    const connectionId = present?.connection_id ?? uuidv7(now)
    if (present === undefined) {
      await insertConnection.run(client, {
        companyId,
        connectionId,
        sourceId,
        name: 'Demo connection',
        kind: 'demo',
        credentialKind: 'static',
        permissions: ['metrics.read'],
        clientId: null,
        createdBy: null,
        createdAt: at,
        signedAt: at,
        expiresAt: null,
      })
    }
    await upsertCredential.run(client, {
      credentialHash,
      connectionId,
      lastFour: getLastFour(credential),
      createdAt: at,
    })
    await endOtherCredentials.run(client, { connectionId, credentialHash, at })
    return connectionId
  })
}
