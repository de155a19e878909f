import { useTranslation } from 'react-i18next'
import { readAskingApp } from '../api/document-facts.ts'
import { en } from '../language/consent.en.ts'
import { sv } from '../language/consent.sv.ts'
import { addTexts } from '../language/language.ts'
import { SignedInPage } from '../session/signed-in-page.tsx'
import { useIsOtherSession } from '../session/use-is-other-session.ts'
import { Note } from '../ui/feedback/note.tsx'
import { Asker } from './app-heading.tsx'
import { RequestedConsent } from './requested-consent.tsx'

addTexts('consent', { en, sv })

/** Where an app sends a member for consent (`/oauth/authorize`). */
export function ConsentPage() {
  const { t } = useTranslation(['consent', 'translation'])
  const isOther = useIsOtherSession()
  return (
    <SignedInPage intro={t('forConsent')} about={<DocumentApp />}>
      {(session) => (
        <>
          {isOther && (
            <Note tone="amber" icon="warning" role="alert">
              {t('translation:failure.changed')}
            </Note>
          )}
          <RequestedConsent key={session.csrf_token} session={session} />
        </>
      )}
    </SignedInPage>
  )
}

/** The app that the document names before anyone has signed in. */
function DocumentApp() {
  const { t } = useTranslation('consent')
  const app = readAskingApp()
  if (app === undefined) return null
  return (
    <Asker app={app}>
      <p>
        <b>
          <bdi>{app.name}</bdi>
        </b>{' '}
        {t('asks')}
      </p>
    </Asker>
  )
}
