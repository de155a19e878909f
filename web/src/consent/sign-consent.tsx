import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import type { Provider } from '../identity/order.ts'
import { removeRememberedOrder } from '../identity/remembered-order.ts'
import { type Signing, SigningPanel } from '../identity/signing-panel.tsx'
import { Card } from '../ui/layout/card.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { Section } from '../ui/layout/section.tsx'
import { type Decision, signingPurpose } from './use-decision.ts'

/** Shows what is to be signed, and waits for the signature. */
export function SignConsent({
  signing,
  provider,
  query,
  csrfToken,
  decision: { sign, onSigned, leaveSigning },
}: {
  signing: Signing
  provider: Provider
  query: string
  csrfToken: string
  decision: Decision
}) {
  const { t } = useTranslation('consent')
  const { order, language } = signing
  const purpose = signingPurpose(query, language)
  const path = { order_id: order.order_id }
  const cancel = useMutation({
    mutationFn: () =>
      callApi('POST /console/authorize/sign/{order_id}/cancel', { path, body: {} }, csrfToken),
  })

  useEffect(() => {
    // It ends with the session: the next person to sign in starts over.
    return () => removeRememberedOrder(purpose, order)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when it is unmounted
  }, [order.order_id])

  return (
    <Card>
      <Section>
        <PageTitle tab={t('signing.title')}>{t('signing.title')}</PageTitle>
        <p>{t('signing.intro')}</p>
      </Section>
      <SigningPanel
        title={t('signing.text')}
        signing={signing}
        provider={provider}
        purpose={purpose}
        collect={(signal) =>
          callApi(
            'POST /console/authorize/sign/{order_id}/collect',
            { path, body: { query }, signal },
            csrfToken,
          )
        }
        cancel={cancel.mutateAsync}
        // The choice is not known where an earlier page started signing.
        onBegin={sign.variables && ((device) => sign.mutate({ ...sign.variables, device }))}
        onOutcome={onSigned}
        onFailed={leaveSigning}
        onGone={leaveSigning}
        onCancel={() => {
          cancel.mutate()
          leaveSigning()
        }}
      />
    </Card>
  )
}
