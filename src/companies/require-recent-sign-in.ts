import { ApiError } from '../http/errors.ts'
import type { Context } from '../service/context.ts'
import type { Actor } from './actor.ts'

/**
 * Lets an act pass that gives others access, where the person has identified themselves a short while ago: who finds a
 * browser that is signed in, or steals its session, cannot do it. Called after `holdRole`, so that it asks only those who
 * may do it. The operator needs no session.
 *
 * @throws 403 `sign_in_again`
 */
export function requireRecentSignIn(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  actor: Actor,
): void {
  if (actor === 'operator') return
  const { recentSignInMs } = config.sessions
  const { authenticatedAt } = actor
  if (authenticatedAt != null && clock.now() - authenticatedAt.getTime() < recentSignInMs) return
  throw new ApiError(
    'sign_in_again',
    `This needs a sign-in of the last ${recentSignInMs / 60_000} minutes. Sign in again, then send it again.`,
  )
}
