import { useTranslation } from 'react-i18next'
import { readAskingApp } from '../api/document-facts.ts'
import { en } from '../language/consent.en.ts'
import { sv } from '../language/consent.sv.ts'
import { addTexts } from '../language/language.ts'
import { SignedInPage } from '../session/signed-in-page.tsx'
import { useIsOtherSession } from '../session/use-is-other-session.ts'
import { Note } from '../ui/note.tsx'
import { Asker } from './asker.tsx'
import { RequestedConsent } from './requested-consent.tsx'

addTexts('consent', { en, sv })

/** Where an app sends a member to be allowed something (`/oauth/authorize`). */
export function ConsentPage() {
  const { t } = useTranslation(['consent', 'translation'])
  const isOther = useIsOtherSession()
  return (
    <SignedInPage signInIntro={t('forConsent')} signInFor={<AskingApp />} asksWhether>
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

/** For whom one signs in, as the document says before anybody is signed in. */
function AskingApp() {
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
