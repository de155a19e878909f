import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../ui/failure.tsx'
import { Frame } from '../ui/frame.tsx'
import { Loading } from '../ui/loading.tsx'
import { SignIn } from './sign-in.tsx'
import { useSession } from './use-session.ts'

/** Where people sign in when they did not come for a page in particular (`/sign-in`); it then opens their apps. */
export function SignInPage() {
  const { t } = useTranslation()
  const { data, error, refetch } = useSession()
  const isSignedIn = data !== undefined && data.session !== null
  useEffect(() => {
    if (isSignedIn) location.replace('/apps')
  }, [isSignedIn])
  return (
    <Frame>
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined || data.session !== null ? (
        <Loading />
      ) : (
        <SignIn intro={t('signIn.intro')} ended={data.ended} />
      )}
    </Frame>
  )
}
