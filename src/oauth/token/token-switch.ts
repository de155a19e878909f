/** The operator's switch: whether tokens are issued at all [oauth.switch]. */
import type { DirectoryContext } from '../../context.ts'
import { deleteTokenSwitch, insertTokenSwitch, selectTokenSwitch } from './queries.ts'

/**
 * Stops the issuing of tokens, by every grant type and in every process, from the next request on. Tokens that were issued
 * before remain valid. Returns when it was stopped, which may have been earlier.
 */
export async function stopTokens({ pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>): Promise<Date> {
  return (await insertTokenSwitch.first(pool, { now: new Date(clock.now()) }))!.off_since
}

export async function resumeTokens({ pool }: Pick<DirectoryContext, 'pool'>): Promise<void> {
  await deleteTokenSwitch.run(pool, {})
}

/** Since when the issuing of tokens has been stopped; undefined while tokens are issued. */
export async function tokensStoppedSince({
  pool,
}: Pick<DirectoryContext, 'pool'>): Promise<Date | undefined> {
  return (await selectTokenSwitch.first(pool, {}))?.off_since
}
