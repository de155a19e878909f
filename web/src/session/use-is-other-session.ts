import { useState } from 'react'
import { useSession } from './use-session.ts'

/**
 * Whether a sign-in in another window has replaced the session that the page was opened in. Signing in on the page
 * itself does not count.
 */
export function useIsOtherSession(): boolean {
  const { data } = useSession()
  const [first, setFirst] = useState<string>()
  const current = data?.session?.csrf_token
  if (data !== undefined && (first === undefined || current === undefined) && first !== current)
    setFirst(current)
  return first !== undefined && current !== undefined && first !== current
}
