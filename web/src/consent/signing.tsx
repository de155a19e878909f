import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ask, type Answer } from '../api/ask.ts'
import type { AskError } from '../api/ask-error.ts'
import type { Order } from '../identity/order.ts'
import { OrderPanel } from '../identity/order-panel.tsx'
import type { Language } from '../language/language.ts'
import { Card, Section } from '../page/card.tsx'
import { PageTitle } from '../page/page-title.tsx'
import classes from './signing.module.css'

type Signed = Answer<'POST /console/authorize/sign/{order_id}/collect'>

/**
 * Shows what is to be signed and waits for the signature.
 *
 * @param language of the text
 */
export const Signing = ({
  order,
  language,
  query,
  csrfToken,
  onOver,
  onCancel,
}: {
  order: Order
  language: Language
  query: string
  csrfToken: string
  onOver: (signed: Signed | AskError) => void
  onCancel: () => void
}) => {
  const { t } = useTranslation()
  const path = { order_id: order.order_id }
  const cancel = useMutation({
    mutationFn: () => ask('POST /console/authorize/sign/{order_id}/cancel', { path, body: {} }, csrfToken),
  })
  return (
    <Card>
      <Section>
        <PageTitle tab={t('signing.title')}>{t('signing.title')}</PageTitle>
        <p>{t('signing.intro')}</p>
      </Section>
      <Section>
        <h2>{t('signing.text')}</h2>
        {/* To the letter, whatever language the page is read in since. */}
        <blockquote lang={language} className={classes.text}>
          {order.visible_text}
        </blockquote>
      </Section>
      <Section>
        <OrderPanel
          order={order}
          waiting={t('signing.waiting')}
          collect={() =>
            ask('POST /console/authorize/sign/{order_id}/collect', { path, body: { query } }, csrfToken)
          }
          onOver={onOver}
          onCancel={() => {
            cancel.mutate()
            onCancel()
          }}
        />
      </Section>
    </Card>
  )
}
