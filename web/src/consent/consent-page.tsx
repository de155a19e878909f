import { useTranslation } from 'react-i18next'
import { readAskingApp } from '../api/document-facts.ts'
import { SignedInPage } from '../session/signed-in-page.tsx'
import { useIsOtherSession } from '../session/use-is-other-session.ts'
import { Note } from '../ui/note.tsx'
import { Asker } from './asker.tsx'
import { RequestedConsent } from './requested-consent.tsx'

/** Where an app sends a member to be allowed something (`/oauth/authorize`). */
export function ConsentPage() {
  const { t } = useTranslation()
  const isOther = useIsOtherSession()
  return (
    <SignedInPage signInIntro={t('signIn.forConsent')} signInFor={<AskingApp />} asksWhether>
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

/** For whom one signs in, as the document says before anybody is signed in. */
function AskingApp() {
  const { t } = useTranslation()
  const app = readAskingApp()
  if (app === undefined) return null
  return (
    <Asker app={app}>
      <p>
        <bdi>{app.name}</bdi> {t('consent.asks')}
      </p>
    </Asker>
  )
}
