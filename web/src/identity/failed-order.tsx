import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { isOwnRefusal } from './failure-texts.ts'
import { useFailureMessage } from './messages.ts'
import type { Device, Provider } from './order.ts'

/** Why an order came to nothing. */
export interface OrderFailure {
  /** As the service says it. */
  reason: string
  /** Which the order was for. */
  device: Device
}

/**
 * Why an order at the electronic identity failed, and what to do next. One's own refusal is no fault, and looks like none.
 *
 * @param isSigning something was to be signed, by one person alone; else anybody was to sign in
 * @param onRetry begins again, from a button that has the focus when this comes; without it, a button elsewhere does
 * @param isBusy it is being begun again
 */
export function FailedOrder({
  title,
  failure: { reason, device },
  provider,
  isSigning,
  onRetry,
  isBusy = false,
}: {
  title: string
  failure: OrderFailure
  provider: Provider
  isSigning: boolean
  onRetry?: (() => void) | undefined
  isBusy?: boolean
}) {
  const messageOf = useFailureMessage(isSigning)
  return (
    <Note
      tone={isOwnRefusal(reason) ? 'neutral' : 'red'}
      role="alert"
      title={title}
      {...(onRetry !== undefined && { action: <Retry small busy={isBusy} onRetry={onRetry} /> })}
    >
      {messageOf(reason, provider, device)}
    </Note>
  )
}

/** Has the focus when it comes, since what had it is gone. */
export function Retry({
  onRetry,
  ...look
}: { onRetry: () => void } & Pick<Parameters<typeof Button>[0], 'variant' | 'small' | 'wide' | 'busy'>) {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // After the heading, which takes it when it comes at the same time.
    queueMicrotask(() => button.current?.focus())
  }, [])
  return (
    <Button {...look} ref={button} onClick={onRetry}>
      {t('ui.retry')}
    </Button>
  )
}
