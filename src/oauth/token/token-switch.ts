/** The operator's switch: whether tokens are issued at all [oauth.switch]. */
import type { Context } from '../../service/context.ts'
import { deleteTokenSwitch, insertTokenSwitch, readTokenSwitch } from './switch-queries.ts'

/**
 * Stops the issuing of tokens, of every grant type and on every process, from the next request on. Tokens that were
 * issued before go on working. Gives when it was stopped, which may have been earlier.
 */
export function stopTokens(context: Pick<Context, 'pool' | 'clock'>): Promise<Date> {
  return insertTokenSwitch(context.pool, new Date(context.clock.now()))
}

/** Lets tokens be issued again, from the next request on. */
export function resumeTokens(context: Pick<Context, 'pool'>): Promise<void> {
  return deleteTokenSwitch(context.pool)
}

/** Since when the issuing of tokens has been stopped; undefined while tokens are issued. */
export function tokensStoppedSince(context: Pick<Context, 'pool'>): Promise<Date | undefined> {
  return readTokenSwitch(context.pool)
}
