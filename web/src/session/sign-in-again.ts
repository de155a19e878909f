import { createContext, use } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useMember } from './member.ts'

/**
 * Lets the person sign in again, over the page.
 *
 * @returns the CSRF token of their new session; rejects if they cancel, or if another person signs in
 */
export type SignInAgain = () => Promise<string>

export const SignInAgainContext = createContext<SignInAgain>(() =>
  Promise.reject(new Error('not in a frame')),
)

function isSignInAgain(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'sign_in_again'
}

/**
 * Runs an action that may need a recent sign-in: where the service says so, the person signs in again and the action is
 * repeated. Where they do not, it fails with the service's error.
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
        // They did sign in, but the electronic identity does not say when.
        throw isSignInAgain(again) ? new ApiError(again.status, { code: 'sign_in_unknown' }) : again
      })
    }
  }
}
