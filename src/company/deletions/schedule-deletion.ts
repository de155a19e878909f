import type { PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import { dayBefore } from '../../people/companies/day-before.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { lockRole, lockRoleInEach, type ActorsCompany } from '../../people/members/require-role.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { pauseAllSources, resumeAllSources } from '../sources/pause-all-sources.ts'
import { graceEndMs } from './deletion.ts'
import { countOwners, deleteDeletion, markScheduled, type DeletionRow } from './queries.ts'
import { findDeletion } from './show-deletion.ts'

type DeletionContext = Pick<Context, 'pool' | 'shard' | 'clock'>

/**
 * From the end of the transaction on the company can only be read: its sources are paused, and nothing is added to it or
 * changed (`requireKept`). To be called with the company locked, for one whose deletion is requested.
 *
 * @param actor the second owner, or the operator in their place
 * @returns the last day on which it can be withdrawn
 * @throws 409 `conflict` if the first signer is no longer an owner
 */
export async function scheduleDeletion(
  context: Pick<Context, 'shard'>,
  client: PoolClient,
  actor: Actor,
  { companyId, name, timeZone }: ActorsCompany,
  { requested, signatureId, atMs }: { requested: DeletionRow; signatureId: string | null; atMs: number },
): Promise<string> {
  if (!(await lockRoleInEach(client, { memberId: requested.first_signed_by }, [companyId], 'owner')))
    throw conflict('The person who signed first is no longer an owner: withdraw the deletion first.')
  const at = new Date(atMs)
  const deletesAt = new Date(graceEndMs(atMs, timeZone))
  await markScheduled.run(client, { companyId, signatureId, at, deletesAt })
  await pauseAllSources(client, context, companyId, { at, by: actorMemberId(actor) })
  const deletesAfter = dayBefore(deletesAt, timeZone)
  await recordAuditEvent(client, {
    companyId,
    actor,
    action: 'company_deletion_scheduled',
    subject: { kind: 'company', id: companyId, name },
    details: { signature_id: signatureId, deletes_after: deletesAfter },
    atMs,
  })
  return deletesAfter
}

/**
 * Confirms, as the operator, what the only owner of a company has signed: in place of a second owner's signature.
 *
 * @returns the last day on which it can be withdrawn
 * @throws 409 `conflict` if the company has several owners, or its deletion is not requested or is scheduled already
 */
export async function confirmDeletion(context: DeletionContext, companyId: string): Promise<string> {
  return inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    const company = await lockRole(client, 'operator', companyId, 'owner')
    const atMs = context.clock.now()
    const requested = await findDeletion(client, companyId, atMs)
    if (requested === undefined) throw conflict('No owner has signed the deletion of the company.')
    if (requested.scheduled_at !== null) throw conflict('The company is already to be deleted.')
    if ((await countOwners.first(client, { companyId }))!.owners > 1)
      throw conflict('The company has several owners: a second one signs its deletion.')
    return scheduleDeletion(context, client, 'operator', company, { requested, signatureId: null, atMs })
  })
}

/**
 * Withdraws a deletion, requested or scheduled: the sources that it paused are active again.
 *
 * @throws 403, 404 as `requireRole`, for owners; 409 `conflict` if there is none, or its 30 days are over
 */
export async function withdrawDeletion(
  context: DeletionContext,
  owner: Actor,
  companyId: string,
): Promise<void> {
  await inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    const { name } = await lockRole(client, owner, companyId, 'owner')
    const withdrawn = await deleteDeletion.first(client, { companyId })
    if (withdrawn === undefined) throw conflict('The company has no deletion that can be withdrawn.')
    if (withdrawn.scheduled_at !== null)
      await resumeAllSources(client, context, companyId, withdrawn.scheduled_at)
    await recordAuditEvent(client, {
      companyId,
      actor: owner,
      action: 'company_deletion_withdrawn',
      subject: { kind: 'company', id: companyId, name },
      atMs: context.clock.now(),
    })
  })
}
