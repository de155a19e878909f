import type { Context } from '../../service/context.ts'
import { deleteTokenSwitch } from './queries.ts'

/** Lets tokens be issued again, from the next request on. */
export function resumeTokens(context: Pick<Context, 'pool'>): Promise<void> {
  return deleteTokenSwitch(context.pool)
}
