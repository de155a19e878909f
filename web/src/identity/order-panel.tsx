import { useTranslation } from 'react-i18next'
import { Button } from '../ui/controls/button.tsx'
import { Waiting } from '../ui/feedback/live.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { useNow } from '../ui/use-now.ts'
import { DemoMark } from './demo-mark.tsx'
import { usePendingMessage } from './messages.ts'
import type { Progress } from './order.ts'
import classes from './order-panel.module.css'
import { OrderMethods } from './order-methods.tsx'
import { type OrderProps, useOrder } from './use-order.ts'

/**
 * Sends the person to their electronic identity, in any way that the provider offers, and waits for the outcome.
 *
 * @param props.onCancel must forget the order (`removeRememberedOrder`)
 */
export function OrderPanel<Collected extends Progress>({
  onCancel,
  ...props
}: OrderProps<Collected> & { onCancel: () => void }) {
  const { t } = useTranslation(['identity', 'translation'])
  const { provider, purpose, keepsPage = false } = props
  const { order, hint, isOver, ...ways } = useOrder(props)
  const message = usePendingMessage(order, hint, purpose.of === 'sign-in')
  return (
    <div className={classes.panel}>
      {provider === 'demo' && <DemoMark />}
      <OrderMethods
        {...ways}
        orderId={order.order_id}
        provider={provider}
        isNewTab={provider === 'demo' || keepsPage}
      />
      {isOver ? (
        <Waiting title={t('translation:ui.loading')} />
      ) : (
        <Waiting
          title={message}
          aside={
            <Button variant="quiet" small onClick={onCancel}>
              {t('translation:ui.cancel')}
            </Button>
          }
        >
          {/* Afterwards only the provider knows how long it may take. */}
          {Object.keys(ways.presentation).length > 0 && <TimeLeft expiresAt={order.expires_at} />}
        </Waiting>
      )}
      {ways.isOffline && (
        <Note tone="red" role="alert">
          {t('offline')}
        </Note>
      )}
    </div>
  )
}

/** More time is not urgent, or this device's clock is wrong. */
const countedMsMax = 5 * 60_000

/** Counts down without being announced: `timer` is not a live region by default (WAI-ARIA 1.2). */
function TimeLeft({ expiresAt }: { expiresAt: string }) {
  const { t } = useTranslation('identity')
  const leftMs = Date.parse(expiresAt) - useNow(1_000)
  if (!(leftMs > 0 && leftMs <= countedMsMax)) return null
  const leftS = Math.ceil(leftMs / 1_000)
  const time = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`
  return <span role="timer">{t('timeLeft', { time })}</span>
}
