import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../api/api-error.ts'
import { Button, ButtonAnchor } from '../ui/button.tsx'
import { Waiting } from '../ui/live.tsx'
import { Note } from '../ui/note.tsx'
import { DemoMark } from './demo-mark.tsx'
import type { Order, Progress } from './order.ts'
import { useOrderProgress } from './use-order-progress.ts'

/**
 * Sends the person to their electronic identity and waits until they have answered there.
 *
 * @param waiting what is waited for, in words
 * @param collect asks the service where the order stands
 * @param session the token of the session that collects, where there is one
 * @param onOutcome called once, when the order is no longer pending or the service refuses to say more about it
 */
export function OrderPanel<Collected extends Progress>({
  order,
  waiting,
  collect,
  session,
  onOutcome,
  onCancel,
}: {
  order: Order
  waiting: string
  collect: () => Promise<Collected>
  session?: string
  onOutcome: (outcome: Collected | ApiError) => void
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const { outcome, isOffline } = useOrderProgress(order.order_id, collect, session)
  useEffect(() => {
    if (outcome !== undefined) onOutcome(outcome)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each outcome, however often the parent renders
  }, [outcome])

  return (
    <>
      {order.demo && <DemoMark />}
      {order.presentation.open_url !== undefined && (
        <ButtonAnchor
          variant="primary"
          wide
          href={order.presentation.open_url}
          target="_blank"
          rel="noreferrer"
        >
          {t('identity.open')}
          <span className="unseen"> {t('ui.newTab')}</span>
        </ButtonAnchor>
      )}
      <Waiting
        title={waiting}
        aside={
          <Button variant="quiet" small onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        }
      />
      <p className="quiet">{t('identity.goOn')}</p>
      {isOffline && (
        <Note tone="red" role="alert">
          {t('identity.offline')}
        </Note>
      )}
    </>
  )
}
