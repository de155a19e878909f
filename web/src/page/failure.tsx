import { Alert, Button } from '@mantine/core'
import type { ParseKeys } from 'i18next'
import { useTranslation } from 'react-i18next'
import { AskError } from '../api/ask-error.ts'

/** What went wrong, in a sentence of the reader's language. */
const useSentence = (error: Error): string => {
  const { t } = useTranslation()
  if (!(error instanceof AskError)) return t('failure.later')
  if (error.status === 0) return t('failure.unreachable')
  if (error.status === 429) return t('failure.busy', { count: error.retryAfterS ?? 1 })
  if (error.status >= 500) return t('failure.later')
  if (error.status === 401 || error.status === 403) return t('failure.changed')
  return t('failure.refused', { message: error.message })
}

/** Says that a call failed, aloud too. */
export const Failure = ({
  error,
  title = 'failure.title',
  onAgain,
}: {
  error: Error
  title?: ParseKeys
  onAgain?: () => void
}) => {
  const { t } = useTranslation()
  return (
    <Alert color="red" title={t(title)}>
      <p>{useSentence(error)}</p>
      {onAgain !== undefined && (
        <Button variant="default" size="sm" onClick={onAgain}>
          {t('page.again')}
        </Button>
      )}
    </Alert>
  )
}
