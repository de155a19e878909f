import type { ReactNode } from 'react'
import { NarrowFrame } from '../ui/layout/narrow-frame.tsx'
import { SignIn } from './sign-in.tsx'
import { SignInGate } from './sign-in-gate.tsx'
import { SignedInAs } from './signed-in-as.tsx'
import { type Session, useSession } from './use-session.ts'

/**
 * A page with a single purpose, outside of the frame. Others sign in on it first.
 *
 * @param props.intro why to sign in, in a sentence
 * @param props.about what for, above that
 */
export function SignedInPage({
  intro,
  about,
  children,
}: {
  intro: string
  about: ReactNode
  children: (session: Session) => ReactNode
}) {
  const session = useSession().data?.session
  if (session == null) {
    return <SignInGate>{(ended) => <SignIn intro={intro} about={about} ended={ended} />}</SignInGate>
  }
  return <NarrowFrame footer={<SignedInAs session={session} />}>{children(session)}</NarrowFrame>
}
