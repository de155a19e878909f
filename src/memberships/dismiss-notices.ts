import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import { notFound } from '../http/errors.ts'
import type { Context } from '../service/context.ts'
import { updateDismissedNotices } from './queries.ts'

/**
 * Dismisses the notices of a company up to one of its events, for this owner alone.
 *
 * @throws 403, 404 as `requireRole`; 404 where the company has no such event
 */
export async function dismissNotices(
  context: Pick<Context, 'pool'>,
  owner: Exclude<Actor, 'operator'>,
  companyId: string,
  through: string,
): Promise<void> {
  await requireRole(context.pool, owner, companyId, 'owner')
  const { memberId } = owner
  const dismissed = await updateDismissedNotices.first(context.pool, { companyId, memberId, through })
  if (dismissed === undefined) throw notFound()
}
