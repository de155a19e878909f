import { useTranslation } from 'react-i18next'
import { hasRemarks } from '../company/remarks.tsx'
import { Badge, PlainState } from '../ui/display/badge.tsx'
import { Row } from '../ui/layout/page.tsx'
import type { Delivery } from './delivery-queries.ts'

/** The outcome of a delivery, whether accepted rows need a second look, and whether it is test data. */
export function DeliveryState({
  delivery,
}: {
  delivery: Pick<Delivery, 'state' | 'sandbox' | 'missing_values' | 'rows_far_ahead' | 'rows_accepted'>
}) {
  const { state, sandbox } = delivery
  const { t } = useTranslation('deliveries')
  return (
    <Row>
      {state === 'parsed' ? (
        <PlainState>{t('parsed')}</PlainState>
      ) : state === 'queued' ? (
        <Badge tone="outline" icon="clock">
          {t('queued')}
        </Badge>
      ) : (
        <Badge tone="red" icon="warning">
          {t('unreadable')}
        </Badge>
      )}
      {hasRemarks(delivery) && (
        <Badge tone="outline" icon="info">
          {t((delivery.missing_values ?? []).length > 0 ? 'valuesMissing' : 'farAhead')}
        </Badge>
      )}
      {sandbox && <TestBadge />}
    </Row>
  )
}

export function TestBadge() {
  const { t } = useTranslation('deliveries')
  return (
    <Badge tone="test" icon="test">
      {t('test')}
    </Badge>
  )
}
