import type { Context } from '../../service/context.ts'
import { readTokenSwitch } from './queries.ts'

/** Since when the issuing of tokens has been stopped; undefined while tokens are issued. */
export function tokensStoppedSince(context: Pick<Context, 'pool'>): Promise<Date | undefined> {
  return readTokenSwitch(context.pool)
}
