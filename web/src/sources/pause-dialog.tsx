import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { TextField } from '../ui/field.tsx'
import { Stack } from '../ui/page.tsx'
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
  const formId = useId()
  const [reason, setReason] = useState('')
  const pause = usePause(sourceId)
  const left = reasonCharactersMax - [...reason.trim()].length
  const isTooLong = left < 0
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (!isTooLong && !pause.isPending) pause.mutate(reason, { onSuccess: onClose })
  }
  return (
    <Dialog
      title={t('pause.title', { source: isolate(name) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel', { ns: 'translation' })}</Button>
          <Button variant="primary" type="submit" form={formId} busy={pause.isPending}>
            {t('pause.do')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit}>
        <Stack>
          <p>{t('pause.text')}</p>
          {pause.error !== null && <Failure error={pause.error} title={t('pause.failed')} />}
          <TextField
            label={t('pause.reason')}
            hint={t('pause.reasonHint')}
            error={isTooLong ? t('pause.tooLong', { count: -left }) : undefined}
            value={reason}
            onChange={setReason}
            data-autofocus
          />
        </Stack>
      </form>
    </Dialog>
  )
}
