import { useTranslation } from 'react-i18next'
import { readAskingApp } from '../api/document-facts.ts'
import { en } from '../language/en/consent.ts'
import { sv } from '../language/sv/consent.ts'
import { addTexts } from '../language/language.ts'
import { SignIn } from '../session/sign-in.tsx'
import { SignInGate } from '../session/sign-in-gate.tsx'
import { SignedInAs } from '../session/signed-in-as.tsx'
import { useIsOtherSession } from '../session/use-is-other-session.ts'
import { useSession } from '../session/use-session.ts'
import { Note } from '../ui/feedback/note.tsx'
import { NarrowFrame } from '../ui/layout/narrow-frame.tsx'
import { Asker } from './app-heading.tsx'
import { RequestedConsent } from './requested-consent.tsx'

addTexts('consent', { en, sv })

/** Where an app sends a member for consent (`/oauth/authorize`). */
export function ConsentPage() {
  const { t } = useTranslation(['consent', 'translation'])
  const isOther = useIsOtherSession()
  const session = useSession().data?.session
  if (session == null) {
    return (
      <SignInGate>
        {(ended) => <SignIn intro={t('forConsent')} about={<DocumentApp />} ended={ended} />}
      </SignInGate>
    )
  }
  return (
    <NarrowFrame footer={<SignedInAs session={session} />}>
      {isOther && (
        <Note tone="amber" icon="warning" role="alert">
          {t('translation:failure.changed')}
        </Note>
      )}
      <RequestedConsent key={session.csrf_token} session={session} />
    </NarrowFrame>
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
