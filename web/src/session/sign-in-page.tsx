import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../ui/failure.tsx'
import { NarrowFrame } from '../ui/narrow-frame.tsx'
import { Loading } from '../ui/skeleton.tsx'
import { SignIn } from './sign-in.tsx'
import { SignedOutLinks } from './signed-out-links.tsx'
import { useSession } from './use-session.ts'

/** Where people sign in when they did not come for a page in particular (`/sign-in`); it then opens their companies. */
export function SignInPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data, error, refetch } = useSession()
  const isSignedIn = data !== undefined && data.session !== null
  useEffect(() => {
    if (isSignedIn) void navigate({ to: '/', replace: true })
  }, [isSignedIn, navigate])
  return (
    <NarrowFrame footer={<SignedOutLinks />}>
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined || data.session !== null ? (
        <Loading />
      ) : (
        <SignIn intro={t('signIn.intro')} ended={data.ended} />
      )}
    </NarrowFrame>
  )
}
