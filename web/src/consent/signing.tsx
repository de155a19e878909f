import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import type { Order } from '../identity/order.ts'
import { OrderPanel } from '../identity/order-panel.tsx'
import { SignedText } from '../identity/signed-text.tsx'
import type { Language } from '../language/language.ts'
import { Card } from '../ui/card.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import type { Signed } from './use-decision.ts'

/**
 * Shows what is to be signed and waits for the signature.
 *
 * @param language of the text
 */
export function Signing({
  order,
  language,
  query,
  csrfToken,
  onOutcome,
  onCancel,
}: {
  order: Order
  language: Language
  query: string
  csrfToken: string
  onOutcome: (signed: Signed | ApiError) => void
  onCancel: () => void
}) {
  const { t } = useTranslation('consent')
  const path = { order_id: order.order_id }
  const cancel = useMutation({
    mutationFn: () =>
      callApi('POST /console/authorize/sign/{order_id}/cancel', { path, body: {} }, csrfToken),
  })
  return (
    <Card>
      <Section>
        <PageTitle tab={t('signing.title')}>{t('signing.title')}</PageTitle>
        <p>{t('signing.intro')}</p>
      </Section>
      <Section>
        <h2>{t('signing.text')}</h2>
        <SignedText text={order.visible_text ?? ''} language={language} />
      </Section>
      <Section>
        <OrderPanel
          order={order}
          waiting={t('signing.waiting')}
          collect={() =>
            callApi('POST /console/authorize/sign/{order_id}/collect', { path, body: { query } }, csrfToken)
          }
          onOutcome={onOutcome}
          onCancel={() => {
            cancel.mutate()
            onCancel()
          }}
        />
      </Section>
    </Card>
  )
}
