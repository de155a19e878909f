import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MemberContext } from '../session/member.ts'
import { SignedOutLinks } from '../session/signed-out-links.tsx'
import { SignInAgainContext } from '../session/sign-in-again.ts'
import { type Session, useSession } from '../session/use-session.ts'
import { Failure } from '../ui/failure.tsx'
import { NarrowFrame } from '../ui/narrow-frame.tsx'
import { Loading } from '../ui/skeleton.tsx'
import { Frame } from './frame.tsx'
import classes from './signed-in-frame.module.css'
import { useSignInAgain } from './use-sign-in-again.ts'

// Who is signed in does without them.
const SignIn = lazy(() => import('../session/sign-in.tsx').then(({ SignIn }) => ({ default: SignIn })))
const SignInOver = lazy(() =>
  import('./sign-in-over.tsx').then(({ SignInOver }) => ({ default: SignInOver })),
)

/**
 * The pages of someone who is signed in; anyone else signs in first, at the same address. A session that ends meanwhile
 * leaves the page as it is, but unseen, and signing in again goes over it.
 */
export function SignedInFrame() {
  const { t } = useTranslation()
  const isStart = useLocation({ select: ({ pathname }) => pathname === '/' })
  const { data, error, refetch } = useSession()
  const held = useHeldSession(data)
  const { ask, isAsked, giveUp } = useSignInAgain(held)
  const isOver = held !== undefined && data?.session === null
  useFocusAfter(isOver)
  if (held !== undefined) {
    return (
      <MemberContext value={held}>
        <SignInAgainContext value={ask}>
          <div className={isOver ? classes.unseen : ''}>
            {/* Another person starts with a fresh frame. */}
            <Frame key={held.member_id} />
          </div>
        </SignInAgainContext>
        <Suspense>
          {isOver ? <SignInOver /> : isAsked && <SignInOver again={{ name: held.name, onGiveUp: giveUp }} />}
        </Suspense>
      </MemberContext>
    )
  }
  return (
    <NarrowFrame footer={data !== undefined && <SignedOutLinks />}>
      {data !== undefined ? (
        <Suspense fallback={<Loading />}>
          <SignIn intro={t(isStart ? 'welcome.intro' : 'signIn.intro')} ended={false} />
        </Suspense>
      ) : error === null ? (
        <Loading />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </NarrowFrame>
  )
}

/** The session, and after it ended by itself the last one; none after signing out. */
function useHeldSession(state: ReturnType<typeof useSession>['data']): Session | undefined {
  const [held, setHeld] = useState<Session>()
  const now =
    state === undefined || (state.session === null && state.ended) ? held : (state.session ?? undefined)
  if (now !== held) setHeld(now)
  return now
}

/** What is not seen loses the focus: gives it back where it was. */
function useFocusAfter(isOver: boolean): void {
  useLayoutEffect(() => {
    if (!isOver) return undefined
    const before = document.activeElement
    return () => {
      // Once it is seen again.
      requestAnimationFrame(() => before instanceof HTMLElement && before.focus())
    }
  }, [isOver])
}
