import { useTranslation } from 'react-i18next'
import { SignedInPage } from '../session/signed-in-page.tsx'
import { useIsOtherSession } from '../session/use-is-other-session.ts'
import { Note } from '../ui/note.tsx'
import { RequestedConsent } from './requested-consent.tsx'

/** Where an app sends a member to be allowed something (`/oauth/authorize`). */
export function ConsentPage() {
  const { t } = useTranslation()
  const isOther = useIsOtherSession()
  return (
    <SignedInPage signInIntro={t('signIn.forConsent')} asksWhether>
      {(session) => (
        <>
          {isOther && (
            <Note tone="amber" icon="warning" role="alert">
              {t('failure.changed')}
            </Note>
          )}
          <RequestedConsent key={session.csrf_token} session={session} />
        </>
      )}
    </SignedInPage>
  )
}
