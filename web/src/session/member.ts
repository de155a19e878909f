import { createContext, use } from 'react'
import type { Session } from './use-session.ts'

export const MemberContext = createContext<Session | undefined>(undefined)

/** The session of who is signed in. Only on pages for someone who is; its token is renewed with it. */
export function useMember(): Session {
  const session = use(MemberContext)
  if (session === undefined) throw new Error('this page is for someone who is signed in')
  return session
}
