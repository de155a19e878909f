import type { DirectoryContext } from '../../context.ts'
import { ApiError } from '../../platform/http/errors/errors.ts'
import type { Actor } from './actor.ts'

/**
 * Requires for an act that gives others access that the person has authenticated recently: an attacker who finds a browser
 * that is signed in, or steals its session, cannot do it. Call it after `lockRole`, so that only those who may do it have
 * to sign in. The operator needs no session.
 *
 * @throws 403 `sign_in_again`
 */
export function requireRecentSignIn(
  { clock, config }: Pick<DirectoryContext, 'clock' | 'config'>,
  actor: Actor,
): void {
  if (actor === 'operator') return
  const { recentSignInMs } = config.sessions
  const { authenticatedAt } = actor
  if (authenticatedAt != null && clock.now() - authenticatedAt.getTime() < recentSignInMs) return
  throw new ApiError(
    'sign_in_again',
    `This requires a sign-in within the last ${recentSignInMs / 60_000} minutes. Sign in again, then send it again.`,
  )
}
