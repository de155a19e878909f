import { useTranslation } from 'react-i18next'
import { Badge, PlainState } from '../ui/badge.tsx'
import { Row } from '../ui/page.tsx'
import type { Delivery } from './delivery-queries.ts'

/** What became of a delivery, and whether it is test data. */
export function DeliveryState({
  delivery: { state, sandbox },
}: {
  delivery: Pick<Delivery, 'state' | 'sandbox'>
}) {
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
