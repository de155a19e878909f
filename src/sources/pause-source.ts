import type { Actor } from '../companies/actor.ts'
import { holdRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import { markPaused, markActive } from './queries.ts'

/**
 * Pauses a source: new deliveries get 409 `source_paused` from the next call on, and nothing of them is kept. Pausing
 * a paused source changes nothing.
 *
 * @throws 403, 404 as `requireRole`; 404 where it is no source of the company
 */
export async function pauseSource(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<void> {
  const at = new Date(context.clock.now())
  await inTransaction(context.pool, async (client) => {
    await holdRole(client, actor, companyId, 'developer')
    if ((await markPaused.first(client, { companyId, sourceId, at })) === undefined) throw notFound()
  })
}

/**
 * Resumes a paused source: refused deliveries may be sent again with the same keys.
 *
 * @throws as `pauseSource`
 */
export async function resumeSource(
  context: Pick<Context, 'pool'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    await holdRole(client, actor, companyId, 'developer')
    if ((await markActive.first(client, { companyId, sourceId })) === undefined) throw notFound()
  })
}
