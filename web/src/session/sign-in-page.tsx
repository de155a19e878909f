import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../page/failure.tsx'
import { Frame } from '../page/frame.tsx'
import { Loading } from '../page/loading.tsx'
import { SignIn } from './sign-in.tsx'
import { useSession } from './use-session.ts'

/** Where one signs in without having come for something (`/sign-in`); then it leads to what there is. */
export const SignInPage = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useSession()
  const isSignedIn = data !== undefined && data.session !== null
  useEffect(() => {
    if (isSignedIn) location.replace('/apps')
  }, [isSignedIn])
  return (
    <Frame>
      {error !== null && data === undefined ? (
        <Failure error={error} onAgain={() => void refetch()} />
      ) : data === undefined || data.session !== null ? (
        <Loading />
      ) : (
        <SignIn intro={t('signIn.intro')} ended={data.ended} />
      )}
    </Frame>
  )
}
