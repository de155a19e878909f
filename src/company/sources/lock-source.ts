import type { PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import { requireHere } from '../../people/companies/moves/require-here.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import type { Role } from '../../people/access/role.ts'
import type { Actor } from '../../people/members/actor.ts'
import { lockRole } from '../../people/members/require-role.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { lockSourceRow } from './queries.ts'

/**
 * Locks a source until the transaction ends, so that its changes happen one at a time, and not while its company moves to
 * another shard.
 *
 * @throws 403, 404 as `requireRole`; 404 if the company has no such source; 409 as `requireKept`
 */
export async function lockSource(
  context: Pick<Context, 'shard'>,
  client: PoolClient,
  actor: Actor,
  companyId: string,
  sourceId: string,
  needed: Role = 'developer',
): Promise<{ shape_version: number; name: string; paused: boolean }> {
  await lockRole(client, actor, companyId, needed)
  await requireHere(client, context, companyId)
  const locked = await lockSourceRow.first(client, { companyId, sourceId })
  if (locked === undefined) throw notFound()
  await requireKept(client, companyId)
  return locked
}
