import { useEffect, useMemo, useRef, useState } from 'react'
import type { SignInAgain } from '../session/sign-in-again.ts'
import type { Session } from '../session/use-session.ts'

/** An act that waits for the person to sign in again. */
interface Waiting {
  /** The session that was too old. */
  session: Session
  resolve: (csrfToken: string) => void
  reject: (reason: Error) => void
}

/**
 * Whether an act waits for the person to sign in again, and what ends that: another session of theirs lets it go on, someone
 * else's does not.
 *
 * @param held the session that the pages have
 */
export function useSignInAgain(held: Session | undefined) {
  const [waiting, setWaiting] = useState<Waiting>()
  const current = useRef(held)
  useEffect(() => void (current.current = held))
  const ask = useMemo<SignInAgain>(
    () => () =>
      new Promise((resolve, reject) => {
        const session = current.current
        if (session === undefined) reject(new Error('no one is signed in'))
        else setWaiting({ session, resolve, reject })
      }),
    [],
  )
  function giveUp(): void {
    waiting?.reject(new Error('given up'))
    setWaiting(undefined)
  }
  const isAsked = waiting !== undefined && held?.csrf_token === waiting.session.csrf_token
  useEffect(() => {
    if (waiting === undefined || isAsked) return
    if (held?.member_id === waiting.session.member_id) waiting.resolve(held.csrf_token)
    else waiting.reject(new Error('someone else'))
  }, [held, waiting, isAsked])
  return { ask, isAsked, giveUp }
}
