import type { ReactNode } from 'react'
import { Failure } from '../ui/failure.tsx'
import { NarrowFrame } from '../ui/narrow-frame.tsx'
import { Loading } from '../ui/skeleton.tsx'
import { SignIn } from './sign-in.tsx'
import { SignedInAs } from './signed-in-as.tsx'
import { type Session, useSession } from './use-session.ts'

/**
 * A page with one thing to say to someone who is signed in; anyone else signs in on it first.
 *
 * @param signInIntro why to sign in, in a sentence
 * @param signInFor for what or whom, above that
 * @param asksWhether see {@link SignedInAs}
 * @param children what the session's member sees
 */
export function SignedInPage({
  signInIntro,
  signInFor,
  asksWhether = false,
  children,
}: {
  signInIntro: string
  signInFor?: ReactNode
  asksWhether?: boolean
  children: (session: Session) => ReactNode
}) {
  const { data, error, refetch } = useSession()
  if (data === undefined) {
    return (
      <NarrowFrame>
        {error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />}
      </NarrowFrame>
    )
  }
  if (data.session === null) {
    return (
      <NarrowFrame>
        <SignIn intro={signInIntro} about={signInFor} ended={data.ended} />
      </NarrowFrame>
    )
  }
  return (
    <NarrowFrame footer={<SignedInAs session={data.session} asksWhether={asksWhether} />}>
      {children(data.session)}
    </NarrowFrame>
  )
}
