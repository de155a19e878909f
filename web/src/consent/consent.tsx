import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailedOrder } from '../identity/failed-order.tsx'
import type { Session } from '../session/use-session.ts'
import { type ConsentRequest, startingChoice } from './choice.ts'
import classes from './consent.module.css'
import { ConsentForm } from './consent-form.tsx'
import { Redirecting } from './redirecting.tsx'
import { Signing } from './signing.tsx'
import { useDecision } from './use-decision.ts'

/** The member looks at what the app requests, ticks, and signs or denies. */
export function Consent({
  request,
  query,
  session: { csrf_token: csrfToken, identity },
}: {
  request: ConsentRequest
  query: string
  session: Session
}) {
  const { t } = useTranslation('consent')
  const [choice, setChoice] = useState(() => startingChoice(request))
  const decision = useDecision(query, csrfToken)
  const { sign, signing, failure, redirect } = decision

  const last = sign.variables
  const provider = identity.demo ? 'demo' : 'bankid'

  if (redirect !== undefined) return <Redirecting location={redirect} />
  if (signing !== undefined) {
    return (
      <Signing
        signing={signing}
        provider={provider}
        query={query}
        csrfToken={csrfToken}
        onBegin={last && ((device) => sign.mutate({ ...last, device }))}
        onSigned={decision.onSigned}
        onLeave={decision.leaveSigning}
      />
    )
  }
  return (
    <div className={classes.sheet}>
      {failure !== undefined && (
        <FailedOrder
          title={t('signing.failed')}
          failure={failure}
          provider={provider}
          isSigning
          // What was ticked is known where it was begun in this page.
          onRetry={last === undefined ? undefined : () => sign.mutate(last)}
          isBusy={sign.isPending}
        />
      )}
      <ConsentForm request={request} choice={choice} onChoose={setChoice} decision={decision} />
    </div>
  )
}
