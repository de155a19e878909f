import { useState } from 'react'
import type { SessionState } from './use-session.ts'

/**
 * Whether another session has taken the place of the one that the page was read in: somebody signed in in another window.
 * Signing in on the page itself is no surprise.
 */
export const useIsOtherSession = (state: SessionState | undefined): boolean => {
  const [first, setFirst] = useState<string>()
  const current = state?.session?.csrf_token
  if (current === undefined) {
    if (state !== undefined && first !== undefined) setFirst(undefined)
    return false
  }
  if (first === undefined) setFirst(current)
  return first !== undefined && first !== current
}
