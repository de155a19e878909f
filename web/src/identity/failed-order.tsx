import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/controls/button.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { isOwnRefusal } from './failure-texts.ts'
import { useFailureMessage } from './messages.ts'
import type { Device, Provider } from './order.ts'

/** Why an order failed. */
export interface OrderFailure {
  /** The service's word. */
  reason: string
  /** The device that the order was for. */
  device: Device
}

/**
 * Why an order at the electronic identity failed, and what to do next. A person's own refusal does not look like an error.
 *
 * @param props.isSigning a particular person was to sign; otherwise anyone could sign in
 * @param props.onRetry starts again, from a button that takes the focus; without it, the page has its own button
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
  const toMessage = useFailureMessage(isSigning)
  return (
    <Note
      tone={isOwnRefusal(reason) ? 'neutral' : 'red'}
      role="alert"
      title={title}
      {...(onRetry !== undefined && { action: <Retry small busy={isBusy} onRetry={onRetry} /> })}
    >
      {toMessage(reason, provider, device)}
    </Note>
  )
}

/** Takes the focus when it appears, since the element that had it is gone. */
export function Retry({
  onRetry,
  ...look
}: { onRetry: () => void } & Pick<Parameters<typeof Button>[0], 'variant' | 'small' | 'wide' | 'busy'>) {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // After a new heading, which also takes the focus.
    queueMicrotask(() => button.current?.focus())
  }, [])
  return (
    <Button {...look} ref={button} onClick={onRetry}>
      {t('ui.retry')}
    </Button>
  )
}
