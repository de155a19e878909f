import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { Button } from './button.tsx'
import { Note } from './note.tsx'

/** What went wrong, in a sentence of the reader's language. */
export function useFailureSentence(): (error: Error) => string {
  const { t } = useTranslation()
  return (error) => {
    if (!(error instanceof ApiError)) return t('failure.later')
    if (error.status === 0) return t(navigator.onLine ? 'failure.unreachable' : 'failure.offline')
    if (error.status === 429) return t('failure.busy', { count: error.retryAfterS ?? 1 })
    if (error.code === 'sign_in_again') return t('failure.signInAgain')
    if (error.code === 'sign_in_unknown') return t('failure.signInUnknown')
    if (error.status === 401 || error.status === 403) return t('failure.changed')
    if (error.status === 404) return t('failure.gone')
    if (error.isRefusal) return t('failure.refused', { message: error.message })
    return t('failure.later')
  }
}

/** Seconds until the call may be made again, as the service said with the error; then 0. */
function useRetryAfter(error: Error): number {
  const waitS = error instanceof ApiError ? (error.retryAfterS ?? 0) : 0
  const [left, setLeft] = useState({ error, s: waitS })
  // Another failure begins its own count.
  if (left.error !== error) setLeft({ error, s: waitS })
  const isWaiting = left.s > 0
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(() => setLeft(({ error, s }) => ({ error, s: Math.max(0, s - 1) })), 1_000)
    return () => clearInterval(timer)
  }, [isWaiting])
  return left.s
}

/** Counts down what the service asked to wait, and can be pressed then. */
function Retry({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  const waitS = useRetryAfter(error)
  return (
    <Button small disabled={waitS > 0} onClick={onRetry}>
      {waitS > 0 ? t('ui.retryIn', { seconds: waitS }) : t('ui.retry')}
    </Button>
  )
}

/**
 * Says that a call failed, aloud too.
 *
 * @param title that something did not work, where there is more to say of it
 * @param onRetry makes the call again; without it there is no button for that
 */
export function Failure({ error, title, onRetry }: { error: Error; title?: string; onRetry?: () => void }) {
  const { t } = useTranslation()
  const sentenceOf = useFailureSentence()
  return (
    <Note
      tone="red"
      role="alert"
      title={title ?? t('failure.title')}
      {...(onRetry !== undefined && { action: <Retry error={error} onRetry={onRetry} /> })}
    >
      {sentenceOf(error)}
    </Note>
  )
}
