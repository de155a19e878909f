import type { Context } from '../../service/context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { lockConnectionOfTokens, revokeTokens } from './app-token-queries.ts'

/** What the tokens of one code have in common. */
interface TokenFamily {
  tokenFamilyId: string
  connectionId: string
}

/**
 * Ends every token of one code at once; the connection stays. A refresh under way keeps this waiting until it is done,
 * and a later one finds its refresh token revoked: no pair slips through.
 */
export function revokeTokenFamily(
  context: Pick<Context, 'pool' | 'clock'>,
  { tokenFamilyId, connectionId }: TokenFamily,
): Promise<void> {
  return inTransaction(context.pool, async (client) => {
    await lockConnectionOfTokens.run(client, { connectionId })
    // A statement of its own: it sees what was issued while the lock was waited for.
    await revokeTokens.run(client, { tokenFamilyId, now: new Date(context.clock.now()) })
  })
}
