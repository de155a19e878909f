import type { PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import { requireHere } from '../../people/companies/moves/require-here.ts'
import { markActiveAgain, markAllPaused } from './queries.ts'

/**
 * Pauses every source of a company that is not paused, at one instant. To be called with the company locked, so that none
 * is created meanwhile.
 *
 * @throws OverloadedError as `requireHere`
 */
export async function pauseAllSources(
  client: PoolClient,
  context: Pick<Context, 'shard'>,
  companyId: string,
  { at, by }: { at: Date; by: string | null },
): Promise<void> {
  await requireHere(client, context, companyId)
  await markAllPaused.run(client, { companyId, at, by })
}

/** Resumes those that `pauseAllSources` paused at that instant. @throws as `pauseAllSources` */
export async function resumeAllSources(
  client: PoolClient,
  context: Pick<Context, 'shard'>,
  companyId: string,
  pausedAt: Date,
): Promise<void> {
  await requireHere(client, context, companyId)
  await markActiveAgain.run(client, { companyId, pausedAt })
}
