import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailedOrder } from '../identity/failed-order.tsx'
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
  csrfToken,
}: {
  request: ConsentRequest
  query: string
  csrfToken: string
}) {
  const { t } = useTranslation('consent')
  const [choice, setChoice] = useState(() => startingChoice(request))
  const decision = useDecision(query, csrfToken)
  const { sign, failed, redirect } = decision

  if (redirect !== undefined) return <Redirecting location={redirect} />
  if (sign.isSuccess && sign.data.state === 'signing') {
    return (
      <Signing
        order={sign.data}
        language={sign.variables.language}
        query={query}
        csrfToken={csrfToken}
        onOutcome={decision.onSigned}
        onCancel={() => sign.reset()}
      />
    )
  }
  return (
    <div className={classes.sheet}>
      {failed !== undefined && <FailedOrder title={t('signing.failed')} reason={failed} />}
      <ConsentForm request={request} choice={choice} onChoose={setChoice} decision={decision} />
    </div>
  )
}
