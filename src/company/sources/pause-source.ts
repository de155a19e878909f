import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { lockSource } from './lock-source.ts'
import { markActive, markPaused } from './queries.ts'

/** Characters of the reason why a source is paused; a longer one is 400, field `reason`. */
const pauseReasonCharactersMax = 200

/**
 * Pauses a source: new deliveries get 409 `source_paused` from the next call on, and nothing of them is stored. Pausing a
 * paused source changes nothing.
 *
 * @param reason shown to the other members; undefined or blank for none
 * @throws 400 with field `reason`; 403, 404 as `requireRole`; 404 if the company has no such source
 */
export async function pauseSource(
  context: Pick<Context, 'pool' | 'shard' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  reason?: string,
): Promise<void> {
  const checked = reason?.trim() ? checkDisplayText(reason, 'reason', pauseReasonCharactersMax) : null
  await inTransaction(context.pool, async (client) => {
    const locked = await lockSource(context, client, actor, companyId, sourceId)
    if (locked.paused) return
    const now = context.clock.now()
    await markPaused.run(client, {
      companyId,
      sourceId,
      at: new Date(now),
      by: actorMemberId(actor),
      reason: checked,
    })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'source_paused',
      subject: { kind: 'source', id: sourceId, name: locked.name },
      details: checked === null ? {} : { reason: checked },
      atMs: now,
    })
  })
}

/**
 * Resumes a paused source: refused deliveries may be sent again with the same keys.
 *
 * @throws as `pauseSource`
 */
export async function resumeSource(
  context: Pick<Context, 'pool' | 'shard' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    const locked = await lockSource(context, client, actor, companyId, sourceId)
    if (!locked.paused) return
    await markActive.run(client, { companyId, sourceId })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'source_resumed',
      subject: { kind: 'source', id: sourceId, name: locked.name },
      atMs: context.clock.now(),
    })
  })
}
