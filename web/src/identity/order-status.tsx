import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Waiting } from '../ui/live.tsx'
import { useNow } from '../ui/use-now.ts'
import { isMobile } from './device.ts'
import { usePendingMessage } from './messages.ts'
import type { OrderInHand } from './order.ts'

/**
 * What is waited for, said once each time it changes, until when, and the way out.
 *
 * @param isCounted it is still to be begun: the provider alone knows how long the rest may take
 */
export function OrderStatus({
  order: { expires_at, device, isLaunched },
  hint,
  isCounted,
  isSignIn,
  onCancel,
}: {
  order: OrderInHand
  hint: string | undefined
  isCounted: boolean
  isSignIn: boolean
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const messageOf = usePendingMessage(isSignIn ? 'signIn' : 'signing')
  return (
    <Waiting
      title={messageOf(hint, { device, isLaunched, isMobile: isMobile() })}
      aside={
        <Button variant="quiet" small onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
      }
    >
      {isCounted && <TimeLeft expiresAt={expires_at} />}
    </Waiting>
  )
}

/** Nobody needs to hurry before; more than that is left too where the clock of this device is wrong. */
const countedMsMax = 5 * 60_000

/** Counts down, and is not read out: `timer` is no live region unless asked to be one (WAI-ARIA 1.2). */
function TimeLeft({ expiresAt }: { expiresAt: string }) {
  const { t } = useTranslation('identity')
  const leftMs = Date.parse(expiresAt) - useNow(1_000)
  if (!(leftMs > 0 && leftMs <= countedMsMax)) return null
  const leftS = Math.ceil(leftMs / 1_000)
  const time = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`
  return <span role="timer">{t('timeLeft', { time })}</span>
}
