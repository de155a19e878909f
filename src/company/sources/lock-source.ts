import type { PoolClient } from 'pg'
import type { Actor } from '../../people/members/actor.ts'
import { lockRole } from '../../people/members/require-role.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { lockSourceRow } from './queries.ts'

/**
 * Locks a source until the transaction ends, so that its changes happen one at a time.
 *
 * @throws 403, 404 as `requireRole`; 404 if the company has no such source
 */
export async function lockSource(
  client: PoolClient,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<{ shape_version: number; name: string; paused: boolean }> {
  await lockRole(client, actor, companyId, 'developer')
  const locked = await lockSourceRow.first(client, { companyId, sourceId })
  if (locked === undefined) throw notFound()
  return locked
}
