import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import type { OrderFailure } from '../identity/failed-order.tsx'
import type { Device, Provider } from '../identity/order.ts'
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
 * @param onBegin signs the same on another device; absent where it was begun in another page, and what was ticked is not known
 * @param onLeave nothing is signed: with why, or given up
 */
export function Signing({
  signing: { order, text: begunText, language },
  provider,
  query,
  csrfToken,
  onBegin,
  onSigned,
  onLeave,
}: {
  signing: SigningInHand
  provider: Provider
  query: string
  csrfToken: string
  onBegin: ((device: Device) => void) | undefined
  onSigned: (signed: Signed) => void
  onLeave: (failure?: OrderFailure) => void
}) {
  const { t } = useTranslation('consent')
  const purpose = signingPurpose(query, language)
  const { collectedText, collect, cancel } = useSigning(order.order_id, query, csrfToken)
  const text = begunText ?? collectedText

  useEffect(() => {
    // What is begun goes with the session: whoever signs in on this page begins anew.
    return () => forgetOrder(purpose, order)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when it goes
  }, [order.order_id])

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
          cancel={cancel.mutateAsync}
          onBegin={onBegin}
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

/** The calls about an order, and what it signs as soon as they say it. */
function useSigning(order_id: string, query: string, csrfToken: string) {
  const [collectedText, setText] = useState<string>()
  const path = { order_id }
  const cancel = useMutation({
    mutationFn: () =>
      callApi('POST /console/authorize/sign/{order_id}/cancel', { path, body: {} }, csrfToken),
  })

  async function collect(signal: AbortSignal): Promise<Signed> {
    const progress = await callApi(
      'POST /console/authorize/sign/{order_id}/collect',
      { path, body: { query }, signal },
      csrfToken,
    )
    if (progress.visible_text !== undefined) setText(progress.visible_text)
    return progress
  }

  return { collectedText, collect, cancel }
}
