import { createContext, use } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useMember } from './member.ts'

/**
 * Has the person sign in again, over the page.
 *
 * @returns the CSRF token of their new session; rejects where they cancelled, or someone else signed in
 */
export type SignInAgain = () => Promise<string>

export const SignInAgainContext = createContext<SignInAgain>(() =>
  Promise.reject(new Error('not in a frame')),
)

/** The service wants the person to sign in again first. */
function isSignInAgain(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'sign_in_again'
}

/**
 * For an act that needs a recent sign-in: where the service says so, the person signs in again, and it is done then. Where
 * they do not, it fails as the service said.
 */
export function useRecentSignIn(): <Result>(act: (csrfToken: string) => Promise<Result>) => Promise<Result> {
  const signInAgain = use(SignInAgainContext)
  const { csrf_token } = useMember()
  return async (act) => {
    try {
      return await act(csrf_token)
    } catch (refused) {
      if (!isSignInAgain(refused)) throw refused
      const renewed = await signInAgain().catch(() => {
        throw refused
      })
      return await act(renewed).catch((again) => {
        // Not for want of signing in: the electronic identity does not say when that was.
        throw isSignInAgain(again) ? new ApiError(again.status, { code: 'sign_in_unknown' }) : again
      })
    }
  }
}
