import { createContext, use } from 'react'
import type { Session } from './use-session.ts'

export const MemberContext = createContext<Session | undefined>(undefined)

/** The signed-in member's session. Only for pages inside of {@link MemberContext}. */
export function useMember(): Session {
  const session = use(MemberContext)
  if (session === undefined) throw new Error('this page is for someone who is signed in')
  return session
}
