import type { ReactNode } from 'react'
import { Failure } from '../ui/failure.tsx'
import { Frame } from '../ui/frame.tsx'
import { Loading } from '../ui/loading.tsx'
import { SignIn } from './sign-in.tsx'
import { SignedInAs } from './signed-in-as.tsx'
import { type Session, useSession } from './use-session.ts'

/**
 * A page for someone who is signed in; anyone else signs in on it first.
 *
 * @param signInIntro why to sign in, in a sentence
 * @param asksWhether see {@link SignedInAs}
 * @param children what the session's member sees
 */
export function SignedInPage({
  signInIntro,
  asksWhether = false,
  children,
}: {
  signInIntro: string
  asksWhether?: boolean
  children: (session: Session) => ReactNode
}) {
  const { data, error, refetch } = useSession()
  if (data === undefined) {
    return (
      <Frame>{error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />}</Frame>
    )
  }
  if (data.session === null) {
    return (
      <Frame>
        <SignIn intro={signInIntro} ended={data.ended} />
      </Frame>
    )
  }
  return (
    <Frame footer={<SignedInAs session={data.session} asksWhether={asksWhether} />}>
      {children(data.session)}
    </Frame>
  )
}
