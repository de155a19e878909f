import { useEffect, useMemo, useRef, useState } from 'react'
import type { SignInAgain } from '../session/sign-in-again.ts'
import type { Session } from '../session/use-session.ts'

/** An action that waits for the person to sign in again. */
interface Waiting {
  /** The session that was too old. */
  session: Session
  resolve: (csrfToken: string) => void
  reject: (reason: Error) => void
}

/** Holds an action back until the same person has another session, and rejects it if another person has one. */
export function useSignInAgain(session: Session | undefined) {
  const [waiting, setWaiting] = useState<Waiting>()
  const current = useRef(session)
  useEffect(() => void (current.current = session))
  const signInAgain = useMemo<SignInAgain>(
    () => () =>
      new Promise((resolve, reject) => {
        if (current.current === undefined) reject(new Error('no one is signed in'))
        else setWaiting({ session: current.current, resolve, reject })
      }),
    [],
  )
  function giveUp(): void {
    waiting?.reject(new Error('given up'))
    setWaiting(undefined)
  }
  const isWaiting = waiting !== undefined && session?.csrf_token === waiting.session.csrf_token
  useEffect(() => {
    if (waiting === undefined || isWaiting) return
    if (session?.member_id === waiting.session.member_id) waiting.resolve(session.csrf_token)
    else waiting.reject(new Error('another person is signed in'))
  }, [session, waiting, isWaiting])
  return { signInAgain, isWaiting, giveUp }
}
