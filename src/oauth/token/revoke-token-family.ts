import type { DirectoryContext } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { lockConnectionOfTokens, revokeTokens } from './app-token-queries.ts'

/**
 * Ends all tokens of one code; the connection stays. Waits for a refresh in progress, and a later one finds its refresh
 * token revoked, so that no pair is missed.
 */
export function revokeTokenFamily(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  tokenFamilyId: string,
  connectionId: string,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    await lockConnectionOfTokens.run(client, { connectionId })
    // A statement of its own: it sees what was issued while it waited for the lock.
    await revokeTokens.run(client, { tokenFamilyId, now: new Date(clock.now()) })
  })
}
