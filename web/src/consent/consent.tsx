import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailedOrder } from '../identity/failed-order.tsx'
import type { Session } from '../session/use-session.ts'
import { Stack } from '../ui/layout/page.tsx'
import { type ConsentRequest, startingChoice } from './choice.ts'
import { ConsentForm } from './consent-form.tsx'
import { Redirecting } from './redirecting.tsx'
import { SignConsent } from './sign-consent.tsx'
import { useDecision } from './use-decision.ts'

/** The member chooses, then signs or denies. */
export function Consent({
  request,
  query,
  session: { csrf_token, identity },
}: {
  request: ConsentRequest
  query: string
  session: Session
}) {
  const { t } = useTranslation('consent')
  const [choice, setChoice] = useState(() => startingChoice(request))
  const decision = useDecision(query, csrf_token)
  const { sign, signing, failure, redirect } = decision
  const provider = identity.demo ? 'demo' : 'bankid'

  if (redirect !== undefined) return <Redirecting location={redirect} />
  if (signing !== undefined) {
    return (
      <SignConsent
        signing={signing}
        provider={provider}
        query={query}
        csrfToken={csrf_token}
        decision={decision}
      />
    )
  }
  return (
    <Stack>
      {failure !== undefined && (
        <FailedOrder
          title={t('signing.failed')}
          failure={failure}
          provider={provider}
          isSigning
          // The choice is not known where an earlier page started signing.
          onRetry={sign.variables && (() => sign.mutate(sign.variables))}
          isBusy={sign.isPending}
        />
      )}
      <ConsentForm request={request} choice={choice} onChoose={setChoice} decision={decision} />
    </Stack>
  )
}
