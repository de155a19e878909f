import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SignedInPage } from '../session/signed-in-page.tsx'
import { useIsOtherSession } from '../session/use-is-other-session.ts'
import { RequestedConsent } from './requested-consent.tsx'

/** Where an app sends a member to be allowed something (`/oauth/authorize`). */
export function ConsentPage() {
  const { t } = useTranslation()
  const isOther = useIsOtherSession()
  return (
    <SignedInPage signInIntro={t('signIn.forConsent')} asksWhether>
      {(session) => (
        <>
          {isOther && <Alert color="yellow">{t('failure.changed')}</Alert>}
          <RequestedConsent key={session.csrf_token} session={session} />
        </>
      )}
    </SignedInPage>
  )
}
