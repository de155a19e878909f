import type { Context } from '../../context.ts'
import { deleteExpiredCodes } from './app-queries.ts'

/** Forgets codes that nobody came for in their five minutes, and used ones whose connection is past its end. */
export const forgetExpiredCodes = (context: Pick<Context, 'pool' | 'clock'>): Promise<void> =>
  deleteExpiredCodes(context.pool, new Date(context.clock.now()))
