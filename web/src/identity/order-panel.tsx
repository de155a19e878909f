import { useTranslation } from 'react-i18next'
import { Waiting } from '../ui/live.tsx'
import { Note } from '../ui/note.tsx'
import { DemoMark } from './demo-mark.tsx'
import type { Progress } from './order.ts'
import classes from './order-panel.module.css'
import { OrderStatus } from './order-status.tsx'
import { OrderWays } from './order-ways.tsx'
import { type OrderProps, useOrder } from './use-order.ts'

/**
 * Sends the person to their electronic identity, by whichever way the provider has, and waits until they have answered there.
 *
 * @param props.onCancel must forget the order (`forgetOrder`)
 */
export function OrderPanel<Collected extends Progress>({
  onCancel,
  ...props
}: OrderProps<Collected> & { onCancel: () => void }) {
  const { t } = useTranslation('identity')
  const { t: base } = useTranslation()
  const { provider, purpose, keepsPage = false } = props
  const { order, hint, shown, isOver, isOffline, isChanging, onLaunch, onChange } = useOrder(props)
  return (
    <div className={classes.panel}>
      {provider === 'demo' && <DemoMark />}
      <OrderWays
        orderId={order.order_id}
        shown={shown}
        provider={provider}
        isNewTab={provider === 'demo' || keepsPage}
        isOffline={isOffline}
        onLaunch={onLaunch}
        isChanging={isChanging}
        onChange={onChange}
      />
      {isOver ? (
        <Waiting title={base('ui.loading')} />
      ) : (
        <OrderStatus
          order={order}
          hint={hint}
          isCounted={shown.page !== undefined || shown.launch !== undefined || shown.code !== undefined}
          isSignIn={purpose.of === 'sign-in'}
          onCancel={onCancel}
        />
      )}
      {isOffline && (
        <Note tone="red" role="alert">
          {t('offline')}
        </Note>
      )}
    </div>
  )
}
