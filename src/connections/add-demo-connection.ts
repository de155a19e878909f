import { hashSecret } from '../access/secrets.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { uuidv7 } from '../ids.ts'
import { insertConnection, insertCredential } from './queries.ts'

/**
 * The demo connection of a demo deployment (reading `demo.deployment`): it reads its source's samples with a published
 * credential, is nobody's, and has no end.
 *
 * @param credential from the configuration
 * @returns the connection's id
 */
export const addDemoConnection = async (
  context: Pick<Context, 'pool' | 'clock'>,
  companyId: string,
  sourceId: string,
  credential: string,
): Promise<string> => {
  const now = context.clock.now()
  const at = new Date(now)
  const connectionId = uuidv7(now)
  await inTransaction(context.pool, async (client) => {
    await insertConnection.run(client, [
      companyId,
      connectionId,
      sourceId,
      'Demo connection',
      'demo',
      'static',
      ['metrics.read'],
      null,
      null,
      at,
      at,
    ])
    await insertCredential.run(client, [hashSecret(credential), connectionId, 'static', at])
  })
  return connectionId
}
