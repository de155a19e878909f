import type { ReactNode } from 'react'
import { Failure } from '../ui/feedback/failure.tsx'
import { Loading } from '../ui/feedback/skeleton.tsx'
import { NarrowFrame } from '../ui/layout/narrow-frame.tsx'
import { useSession } from './use-session.ts'

/**
 * Shown until there is known to be a session.
 *
 * @param props.footer under `children`
 * @param props.children signing in; given whether a session ended while the page was open
 */
export function SignInGate({
  footer,
  children,
}: {
  footer?: ReactNode
  children: (ended: boolean) => ReactNode
}) {
  const { data, error, refetch } = useSession()
  if (data?.session === null) return <NarrowFrame footer={footer}>{children(data.ended)}</NarrowFrame>
  return (
    <NarrowFrame>
      {error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />}
    </NarrowFrame>
  )
}
