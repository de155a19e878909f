import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { Button } from '../controls/button.tsx'
import { formatAhead } from '../../language/format-instant.ts'
import { useLanguage } from '../../language/language.ts'
import { Note } from './note.tsx'

/** Describes an error in a sentence. */
function useFailureSentence(): (error: Error) => string {
  const { t } = useTranslation()
  const language = useLanguage()
  return (error) => {
    if (!(error instanceof ApiError)) return t('failure.later')
    if (error.status === 0) return t(navigator.onLine ? 'failure.unreachable' : 'failure.offline')
    if (error.status === 429) {
      return t('failure.busy', { when: formatAhead(language, error.retryAfterS ?? 1, 'second') })
    }
    if (error.code === 'sign_in_again') return t('failure.signInAgain')
    if (error.code === 'sign_in_unknown') return t('failure.signInUnknown')
    if (error.status === 401 || error.status === 403) return t('failure.changed')
    if (error.status === 404) return t('failure.gone')
    if (error.isRefusal) return t('failure.refused', { message: error.message })
    return t('failure.later')
  }
}

/** Counts down the seconds of `Retry-After`. */
function useRetryAfter(error: Error): number {
  const waitS = error instanceof ApiError ? (error.retryAfterS ?? 0) : 0
  const [left, setLeft] = useState({ error, s: waitS })
  // Each error has its own count.
  if (left.error !== error) setLeft({ error, s: waitS })
  const isWaiting = left.s > 0
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(() => setLeft(({ error, s }) => ({ error, s: Math.max(0, s - 1) })), 1_000)
    return () => clearInterval(timer)
  }, [isWaiting])
  return left.s
}

function Retry({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const waitS = useRetryAfter(error)
  return (
    <Button small disabled={waitS > 0} onClick={onRetry}>
      {waitS > 0 ? t('ui.retryIn', { when: formatAhead(language, waitS, 'second') }) : t('ui.retry')}
    </Button>
  )
}

/**
 * Announces that a call failed.
 *
 * @param props.title what did not work, where the page can say more
 * @param props.onRetry makes the call again; without it there is no button
 */
export function Failure({ error, title, onRetry }: { error: Error; title?: string; onRetry?: () => void }) {
  const { t } = useTranslation()
  const toSentence = useFailureSentence()
  return (
    <Note
      tone="red"
      role="alert"
      title={title ?? t('failure.title')}
      {...(onRetry !== undefined && { action: <Retry error={error} onRetry={onRetry} /> })}
    >
      {toSentence(error)}
    </Note>
  )
}
