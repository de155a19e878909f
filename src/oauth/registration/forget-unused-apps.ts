import type { Context } from '../../context.ts'
import { deleteUnusedApps } from './queries.ts'

export const unusedMs = 30 * 24 * 60 * 60_000

/**
 * Removes the apps that nobody has used for 30 days, counted from their registration or last use (specification "Token
 * and lifetime table"). What a member still allows something is kept.
 */
export const forgetUnusedApps = (context: Pick<Context, 'pool' | 'clock'>): Promise<void> => {
  const now = context.clock.now()
  return deleteUnusedApps(context.pool, new Date(now - unusedMs), new Date(now))
}
