import type { Pool, PoolClient } from 'pg'
import type { Context, DirectoryContext } from '../../context.ts'
import { deleteAllOfCompany } from '../../engine/moves/delete-rows.ts'
import { deleteCompany } from '../../people/companies/delete-company.ts'
import { findShardOfCompany } from '../../people/companies/find-shards.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { endMembership } from '../../people/members/change-membership.ts'
import { erasePerson } from '../../people/members/erase-person.ts'
import type { Statement } from '../../platform/database/define-statement.ts'
import { expiredRowsMax } from '../../platform/database/expired-rows.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { recordKeptMs, requestLifetimeMs } from './deletion.ts'
import {
  deleteAccess,
  deleteCallsAbout,
  deleteOwnSignatures,
  deleteRecord,
  deleteRest,
  deleteSignatures,
  deleteVoidRequests,
  endAppConnections,
  markBegun,
  markDeleted,
  selectDue,
  selectMembers,
  selectOldRecords,
  selectSigners,
} from './queries.ts'

/** How long one sweep deletes companies, in milliseconds; the next one continues where it stopped. */
const deletingMsMax = 30_000

/** With connections on which a statement may take a while. */
export interface DeletionContext extends Pick<DirectoryContext, 'pool' | 'log'> {
  toShard: (shard: number) => Pick<Context, 'pool' | 'shard'>
}

/** Runs statements that delete `$rowsMax` rows each until nothing is left. */
async function deleteInParts<Params extends object>(
  on: Pool,
  statements: readonly Statement<never, Params & { rowsMax: number }>[],
  params: Params,
  signal: AbortSignal,
): Promise<void> {
  for (const statement of statements) {
    for (let deleted = expiredRowsMax; deleted === expiredRowsMax;) {
      signal.throwIfAborted()
      const { rowCount } = await statement.run(on, { ...params, rowsMax: expiredRowsMax })
      deleted = rowCount ?? 0
    }
  }
}

/** Erases a person, with what they signed for themselves and allowed apps, unless a company has them still. */
async function eraseIfFormer(client: PoolClient, memberId: string, at: Date): Promise<void> {
  if (!(await erasePerson(client, memberId))) return
  await endAppConnections.run(client, { memberId, at })
  for (const statement of deleteOwnSignatures)
    await statement.run(client, { memberId, rowsMax: expiredRowsMax })
}

/** Ends all access to the company. From its first step on the deletion cannot be withdrawn. */
async function endAccess(
  { pool }: DeletionContext,
  companyId: string,
  at: Date,
  signal: AbortSignal,
): Promise<void> {
  const begun = await inDirectoryTransaction(pool, async (client) => {
    await lockCompany(client, companyId)
    return markBegun.first(client, { companyId, at })
  })
  if (begun === undefined) return
  await deleteInParts(pool, deleteAccess, { companyId }, signal)
  for (let members = await selectMembers.rows(pool, { companyId }); members.length > 0;) {
    for (const { member_id: memberId } of members) {
      await deleteInParts(pool, [deleteCallsAbout], { memberId, companyId }, signal)
      await inDirectoryTransaction(pool, async (client) => {
        await endMembership(client, companyId, memberId)
        await eraseIfFormer(client, memberId, at)
      })
    }
    members = await selectMembers.rows(pool, { companyId })
  }
}

/** Deletes what is left once no one has access, and at last the company. */
async function deleteData(
  { pool, toShard }: DeletionContext,
  companyId: string,
  at: Date,
  signal: AbortSignal,
): Promise<void> {
  const shard = toShard(await findShardOfCompany(pool, companyId))
  // Calls that were under way may have stored something meanwhile.
  while ((await deleteAllOfCompany(shard, companyId, signal)) > 0);
  await deleteInParts(pool, deleteRest, { companyId }, signal)
  await inDirectoryTransaction(pool, async (client) => {
    await deleteCompany(client, companyId)
    await markDeleted.run(client, { companyId, at })
  })
}

/**
 * Deletes companies whose deletion was signed, once its grace period was over at an instant, which cannot be undone. One sweep ends
 * all access to a company, a later one deletes the rest: no call of before is under way by then. Any number of processes may
 * sweep, and each step can be repeated: what a killed one has not done, the next sweep does.
 *
 * @param atMs milliseconds since 1970; the time must certainly have come
 */
export async function deleteDueCompanies(
  context: DeletionContext,
  atMs: number,
  stopping: AbortSignal,
): Promise<void> {
  const { pool, log } = context
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(deletingMsMax)])
  const at = new Date(atMs)
  for (const { company_id: companyId, begun } of await selectDue.rows(pool, { at })) {
    if (signal.aborted) return
    try {
      // Again where it was interrupted.
      await endAccess(context, companyId, at, signal)
      if (begun) await deleteData(context, companyId, at, signal)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error, companyId }, 'a company could not be deleted yet')
    }
  }
  await deleteOldRecords(context, atMs, signal)
}

/** Deletes requests that are void, and after `recordKeptMs` the record of a deletion, with its signatures and who signed. */
async function deleteOldRecords(context: DeletionContext, atMs: number, signal: AbortSignal): Promise<void> {
  const { pool } = context
  const requestedBefore = new Date(atMs - requestLifetimeMs)
  await deleteInParts(pool, [deleteVoidRequests], { requestedBefore }, signal)
  const deletedBefore = new Date(atMs - recordKeptMs)
  for (const { company_id: companyId } of await selectOldRecords.rows(pool, { deletedBefore })) {
    await inDirectoryTransaction(pool, async (client) => {
      const signers = await selectSigners.rows(client, { companyId })
      await deleteSignatures.run(client, { companyId, rowsMax: expiredRowsMax })
      for (const { member_id: memberId } of signers) await eraseIfFormer(client, memberId, new Date(atMs))
      await deleteRecord.run(client, { companyId })
    })
  }
}
