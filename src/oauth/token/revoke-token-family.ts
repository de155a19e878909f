import type { Context } from '../../service/context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { lockConnectionOfTokens, revokeTokens } from './app-token-queries.ts'

/** What the tokens that came of one code share. */
interface TokenFamily {
  tokenFamilyId: string
  connectionId: string
}

/**
 * Ends every token that came of one code, at once; the connection stays. A refresh that is under way holds its
 * connection against this lock until it is done, and one that comes later finds its refresh token revoked: no pair
 * slips through.
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
