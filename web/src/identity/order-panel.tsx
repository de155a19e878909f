import { Alert, Button, Loader } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AskError } from '../api/ask-error.ts'
import { DemoMark } from './demo-mark.tsx'
import type { Order, Progress } from './order.ts'
import classes from './order-panel.module.css'
import { useProgress } from './use-progress.ts'

/**
 * Sends the person to their electronic identity and waits until they have answered there.
 *
 * @param waiting what is waited for, in words
 * @param onOver called once, when the order is no longer pending or cannot be asked after
 */
export const OrderPanel = <Found extends Progress>({
  order,
  waiting,
  collect,
  onOver,
  onCancel,
}: {
  order: Order
  waiting: string
  collect: () => Promise<Found>
  onOver: (progress: Found | AskError) => void
  onCancel: () => void
}) => {
  const { t } = useTranslation()
  const { data, error } = useProgress(order.order_id, collect)
  const refused = error instanceof AskError && error.status >= 400 && error.status < 500
  const over = refused ? error : data !== undefined && data.state !== 'pending' ? data : undefined
  useEffect(() => {
    if (over !== undefined) onOver(over)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, for what it came to
  }, [over])

  return (
    <>
      {order.demo && <DemoMark />}
      {order.presentation.open_url !== undefined && (
        <Button
          component="a"
          href={order.presentation.open_url}
          target="_blank"
          rel="noreferrer"
          size="md"
          fullWidth
        >
          {t('identity.open')}
          <span className="unseen"> {t('page.newTab')}</span>
        </Button>
      )}
      <div className={classes.waiting}>
        <p role="status" className={classes.status}>
          <Loader size="xs" type="dots" aria-hidden />
          {waiting}
        </p>
        <Button variant="subtle" size="compact-sm" onClick={onCancel}>
          {t('page.cancel')}
        </Button>
      </div>
      <p className="quiet">{t('identity.goOn')}</p>
      {error !== null && !refused && <Alert color="red">{t('identity.offline')}</Alert>}
    </>
  )
}
