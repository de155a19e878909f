import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import type { OrderFailure } from '../identity/failed-order.tsx'
import type { Provider } from '../identity/order.ts'
import { OrderPanel } from '../identity/order-panel.tsx'
import { forgetOrder } from '../identity/remembered-order.ts'
import type { SigningInHand } from '../identity/signing-in-hand.ts'
import { SignedText } from '../identity/signed-text.tsx'
import { Card } from '../ui/card.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import { type Signed, signingPurpose } from './use-decision.ts'

/**
 * Shows what is to be signed and waits for the signature.
 *
 * @param onLeave nothing is signed: with why, or given up
 */
export function Signing({
  signing: { order, text: begunText, language },
  provider,
  query,
  csrfToken,
  onSigned,
  onLeave,
}: {
  signing: SigningInHand
  provider: Provider
  query: string
  csrfToken: string
  onSigned: (signed: Signed) => void
  onLeave: (failure?: OrderFailure) => void
}) {
  const { t } = useTranslation('consent')
  const [text, setText] = useState(begunText)
  const path = { order_id: order.order_id }
  const purpose = signingPurpose(query, language)
  const cancel = useMutation({
    mutationFn: () =>
      callApi('POST /console/authorize/sign/{order_id}/cancel', { path, body: {} }, csrfToken),
  })

  useEffect(() => {
    // What is begun goes with the session: whoever signs in on this page begins anew.
    return () => forgetOrder(purpose, order)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when it goes
  }, [])

  async function collect(): Promise<Signed> {
    const progress = await callApi(
      'POST /console/authorize/sign/{order_id}/collect',
      { path, body: { query } },
      csrfToken,
    )
    if (progress.visible_text !== undefined) setText(progress.visible_text)
    return progress
  }

  return (
    <Card>
      <Section>
        <PageTitle tab={t('signing.title')}>{t('signing.title')}</PageTitle>
        <p>{t('signing.intro')}</p>
      </Section>
      {text !== undefined && (
        <Section>
          <h2>{t('signing.text')}</h2>
          <SignedText text={text} language={language} />
        </Section>
      )}
      <Section>
        <OrderPanel
          order={order}
          provider={provider}
          purpose={purpose}
          collect={collect}
          onOutcome={onSigned}
          onFailed={onLeave}
          onGone={onLeave}
          onCancel={() => {
            cancel.mutate()
            onLeave()
          }}
        />
      </Section>
    </Card>
  )
}
