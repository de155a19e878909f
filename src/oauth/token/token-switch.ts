/** The operator's switch: whether tokens are issued at all [oauth.switch]. */
import { recordDeploymentEvent } from '../../company/audit/record-deployment-event.ts'
import type { DirectoryContext } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { deleteTokenSwitch, insertTokenSwitch, selectTokenSwitch } from './queries.ts'

/**
 * Stops the issuing of tokens, by every grant type and in every process, from the next request on. Tokens that were issued
 * before remain valid. Returns when it was stopped, which may have been earlier.
 */
export async function stopTokens(context: Pick<DirectoryContext, 'pool' | 'clock'>): Promise<Date> {
  const now = new Date(context.clock.now())
  return inTransaction(context.pool, async (client) => {
    const { off_since: since } = (await insertTokenSwitch.first(client, { now }))!
    if (since.getTime() === now.getTime()) await recordDeploymentEvent(context, client, 'tokens_stopped')
    return since
  })
}

export async function resumeTokens(context: Pick<DirectoryContext, 'pool' | 'clock'>): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    const { rowCount } = await deleteTokenSwitch.run(client, {})
    if (rowCount !== 0) await recordDeploymentEvent(context, client, 'tokens_resumed')
  })
}

/** Since when the issuing of tokens has been stopped; undefined while tokens are issued. */
export async function tokensStoppedSince({
  pool,
}: Pick<DirectoryContext, 'pool'>): Promise<Date | undefined> {
  return (await selectTokenSwitch.first(pool, {}))?.off_since
}
