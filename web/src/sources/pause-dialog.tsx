import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Stack } from '../ui/layout/page.tsx'
import type { Source } from './declaration.ts'
import { useSourceAction } from './source-actions.ts'

/** The service's limit. */
const reasonCharactersMax = 200

interface PauseProps {
  source: Pick<Source, 'source_id' | 'name'>
  onClose: () => void
}

/** Asks for a reason and pauses a source. */
export function PauseDialog({ source: { source_id, name }, onClose }: PauseProps) {
  const { t } = useTranslation('sources')
  const formId = useId()
  const [reason, setReason] = useState('')
  const pause = useSourceAction(source_id)
  const excess = [...reason.trim()].length - reasonCharactersMax
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (excess <= 0 && !pause.isPending) pause.mutate({ pause: reason }, { onSuccess: onClose })
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
            error={excess > 0 ? t('pause.tooLong', { count: excess }) : undefined}
            value={reason}
            onChange={setReason}
            data-autofocus
          />
        </Stack>
      </form>
    </Dialog>
  )
}
