import { Alert, Button } from '@mantine/core'
import type { ParseKeys } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'

/** What went wrong, in a sentence of the reader's language. */
function useSentence(error: Error): string {
  const { t } = useTranslation()
  if (!(error instanceof ApiError)) return t('failure.later')
  if (error.status === 0) return t('failure.unreachable')
  if (error.status === 429) return t('failure.busy', { count: error.retryAfterS ?? 1 })
  if (error.status === 401 || error.status === 403) return t('failure.changed')
  if (error.isRefusal) return t('failure.refused', { message: error.message })
  return t('failure.later')
}

/**
 * Says that a call failed, aloud too.
 *
 * @param onRetry makes the call again; without it there is no button for that
 */
export function Failure({
  error,
  title = 'failure.title',
  onRetry,
}: {
  error: Error
  title?: ParseKeys
  onRetry?: () => void
}) {
  const { t } = useTranslation()
  return (
    <Alert color="red" title={t(title)}>
      <p>{useSentence(error)}</p>
      {onRetry !== undefined && (
        <Button variant="default" size="sm" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      )}
    </Alert>
  )
}
