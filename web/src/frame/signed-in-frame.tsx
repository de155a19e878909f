import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MemberContext } from '../session/member.ts'
import { SignInAgainContext } from '../session/sign-in-again.ts'
import { SignInGate } from '../session/sign-in-gate.tsx'
import { SignedOutLinks } from '../session/signed-out-links.tsx'
import { type Session, useSession } from '../session/use-session.ts'
import { Loading } from '../ui/feedback/skeleton.tsx'
import { Frame } from './frame.tsx'
import classes from './signed-in-frame.module.css'
import { useSignInAgain } from './use-sign-in-again.ts'

// Members who are signed in do without these.
const SignIn = lazy(() => import('../session/sign-in.tsx').then(({ SignIn }) => ({ default: SignIn })))
const SignInOver = lazy(() =>
  import('./sign-in-over.tsx').then(({ SignInOver }) => ({ default: SignInOver })),
)

/**
 * The pages of a signed-in member; others sign in first, at the same address. When the session ends, the page is hidden as it is, and
 * signing in again happens over it.
 */
export function SignedInFrame() {
  const { t } = useTranslation()
  const isStart = useLocation({ select: ({ pathname }) => pathname === '/' })
  const { data } = useSession()
  const session = useLastSession(data)
  const { signInAgain, isWaiting, giveUp } = useSignInAgain(session)
  const hasEnded = session !== undefined && data?.session === null
  useFocusAfter(hasEnded)
  if (session === undefined) {
    return (
      <SignInGate footer={<SignedOutLinks />}>
        {() => (
          <Suspense fallback={<Loading />}>
            <SignIn intro={t(isStart ? 'welcome.intro' : 'signIn.intro')} />
          </Suspense>
        )}
      </SignInGate>
    )
  }
  return (
    <MemberContext value={session}>
      <SignInAgainContext value={signInAgain}>
        <div className={hasEnded ? classes.hidden : ''}>
          {/* Another person starts with a fresh frame. */}
          <Frame key={session.member_id} />
        </div>
      </SignInAgainContext>
      <Suspense>
        {hasEnded ? (
          <SignInOver />
        ) : (
          isWaiting && <SignInOver again={{ name: session.name, onGiveUp: giveUp }} />
        )}
      </Suspense>
    </MemberContext>
  )
}

/** The session, or the one that ended by itself; none after signing out. */
function useLastSession(state: ReturnType<typeof useSession>['data']): Session | undefined {
  const [last, setLast] = useState<Session>()
  const now =
    state === undefined || (state.session === null && state.ended) ? last : (state.session ?? undefined)
  if (now !== last) setLast(now)
  return now
}

/** Hidden elements lose the focus: returns it afterwards. */
function useFocusAfter(isHidden: boolean): void {
  useLayoutEffect(() => {
    if (!isHidden) return undefined
    const before = document.activeElement
    return () => {
      // Once it is visible again.
      requestAnimationFrame(() => before instanceof HTMLElement && before.focus())
    }
  }, [isHidden])
}
