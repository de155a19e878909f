import { useState } from 'react'
import { useSession } from './use-session.ts'

/**
 * Whether another session has replaced the one that the page was opened in: someone signed in in another window. Signing
 * in on the page itself does not count.
 */
export function useIsOtherSession(): boolean {
  const { data: state } = useSession()
  const [first, setFirst] = useState<string>()
  const current = state?.session?.csrf_token
  if (current === undefined) {
    if (state !== undefined && first !== undefined) setFirst(undefined)
    return false
  }
  if (first === undefined) setFirst(current)
  return first !== undefined && first !== current
}
