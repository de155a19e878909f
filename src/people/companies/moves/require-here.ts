import type { Context } from '../../../context.ts'
import { OverloadedError } from '../../../platform/database/overloaded-error.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { lockSources, selectElsewhere } from './queries.ts'

/**
 * For a transaction that writes to a shard what is neither a delivery nor found by parsing one, before it does: until it is
 * over the company does not leave the shard.
 *
 * @throws OverloadedError if the company has left it, or is held right now: the caller gets 503 and tries again
 */
export async function requireHere(
  client: Queryable,
  { shard }: Pick<Context, 'shard'>,
  companyId: string,
): Promise<void> {
  await lockSources.run(client, {})
  const { accepted_elsewhere: isElsewhere } = (await selectElsewhere.first(client, { companyId, shard }))!
  if (isElsewhere) throw new OverloadedError('the company moves to another shard')
}

/** Whether what parsing found may be changed in the shard, until the transaction is over. */
export async function isParsedHere(
  client: Queryable,
  { shard }: Pick<Context, 'shard'>,
  companyId: string,
): Promise<boolean> {
  await lockSources.run(client, {})
  return !(await selectElsewhere.first(client, { companyId, shard }))!.parsed_elsewhere
}
