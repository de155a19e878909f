import { useTranslation } from 'react-i18next'
import { SignedInPage } from '../session/signed-in-page.tsx'
import { AppList } from './app-list.tsx'

/** What the member allows apps, and the button to end it (`/apps`). */
export function AppsPage() {
  const { t } = useTranslation()
  return (
    <SignedInPage signInIntro={t('signIn.intro')}>
      {(session) => <AppList key={session.member_id} session={session} />}
    </SignedInPage>
  )
}
