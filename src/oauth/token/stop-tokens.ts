import type { Context } from '../../service/context.ts'
import { insertTokenSwitch } from './queries.ts'

/**
 * Stops the issuing of tokens, of every grant and on every process, from the next request on [oauth.switch]. Tokens
 * that were issued before go on working. Answers with when it was stopped, which may have been earlier.
 */
export function stopTokens(context: Pick<Context, 'pool' | 'clock'>): Promise<Date> {
  return insertTokenSwitch(context.pool, new Date(context.clock.now()))
}
