import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { TextField } from '../ui/field.tsx'
import { usePause } from './use-source-change.ts'

/** As the service takes it. */
const reasonCharactersMax = 200

/** Asks why, and pauses. */
export function PauseDialog({
  sourceId,
  name,
  onClose,
}: {
  sourceId: string
  name: string
  onClose: () => void
}) {
  const { t } = useTranslation('sources')
  const [reason, setReason] = useState('')
  const pause = usePause(sourceId)
  const left = reasonCharactersMax - [...reason.trim()].length
  const isTooLong = left < 0
  const send = (): void => {
    if (!isTooLong) pause.mutate(reason, { onSuccess: onClose })
  }
  return (
    <Dialog
      title={t('pause.title', { source: isolate(name) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel', { ns: 'translation' })}</Button>
          <Button variant="primary" busy={pause.isPending} onClick={send}>
            {t('pause.do')}
          </Button>
        </>
      }
    >
      <p>{t('pause.text')}</p>
      {pause.error !== null && <Failure error={pause.error} title={t('pause.failed')} />}
      <TextField
        label={t('pause.reason')}
        hint={t('pause.reasonHint')}
        error={isTooLong ? t('pause.tooLong', { count: -left }) : undefined}
        value={reason}
        onChange={setReason}
        data-autofocus
        onKeyDown={({ key }) => {
          if (key === 'Enter') send()
        }}
      />
    </Dialog>
  )
}
