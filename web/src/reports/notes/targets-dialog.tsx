import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import { useWrite } from '../../session/use-write.ts'
import { TextArea } from '../../ui/controls/field.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Stack } from '../../ui/layout/page.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import type { ReportId } from '../report-queries.ts'
import { renewAnnotations, type Targets, useAnnotated } from './annotations.ts'
import { monthsMax, type ParsedTargets, parseTargets } from './parse-targets.ts'
import { PastedPreview, RefusedLines } from './pasted-preview.tsx'

const saveTargets = 'PUT /console/companies/{company_id}/sources/{source_id}/reports/{metric}/targets'

/** Targets from a pasted table, with what was understood of it before it is saved. */
export function TargetsDialog({
  id,
  targets: opened,
  onClose,
}: {
  id: ReportId
  targets: Targets
  onClose: (result?: 'targetsSaved') => void
}) {
  const t = useTexts('notes')
  const client = useQueryClient()
  // As they were when the dialog opened or a save was refused: what the person has seen.
  const [known, setKnown] = useState(opened)
  const [pasted, setPasted] = useState('')
  const [fault, setFault] = useState('')
  const deferred = useDeferredValue(pasted)
  const parsed = useMemo(() => parseTargets(deferred), [deferred])
  const save = useWrite(saveTargets, {
    onSuccess: async () => {
      await renewAnnotations(client, id)
      onClose('targetsSaved')
    },
    onError: (error) => setKnown((before) => getTheirs(error) ?? before),
  })
  const theirs = save.error === null ? undefined : getTheirs(save.error)
  const count = parsed.months.length
  return (
    <ConfirmDialog
      title={t('targetsTitle')}
      variant="primary"
      confirm={t('saveTargets', { count })}
      action={save}
      failed={theirs === undefined && t('targetsNotSaved')}
      onConfirm={() => {
        setFault(count === 0 ? t('nothingPasted') : '')
        if (count > 0)
          save.mutate({ path: id, body: { expected_revision: known.revision, months: parsed.months } })
      }}
      onClose={() => onClose()}
    >
      <Stack>
        {theirs !== undefined && (
          <Note
            tone="amber"
            icon="members"
            role="alert"
            title={t('targetsConflict', { who: isolate(theirs.saved_by?.name ?? t('operator')) })}
          >
            {t('targetsConflictText')}
          </Note>
        )}
        <TextArea
          label={t('paste')}
          hint={t('pasteHint')}
          error={fault}
          value={pasted}
          onChange={setPasted}
          code
          data-autofocus
        />
        <Understood parsed={parsed} known={known} />
        <RefusedLines
          title={t('notUnderstood', { count: parsed.refused.length })}
          refused={parsed.refused.map((line) => ({ ...line, why: t(`fault.${line.fault}`) }))}
        />
      </Stack>
    </ConfirmDialog>
  )
}

/** The targets as another member saved them, where that is why a save was refused. */
function getTheirs(error: Error): Targets | undefined {
  return ((error instanceof ApiError && error.details) as { targets?: Targets } | undefined)?.targets
}

function Understood({ parsed: { months, left }, known }: { parsed: ParsedTargets; known: Targets }) {
  const t = useTexts('notes')
  const format = useFormat()
  const { unit } = useAnnotated()
  if (months.length === 0) return null
  const before = new Map(known.months.map(({ month, value }) => [month, value]))
  return (
    <div>
      <PastedPreview
        caption={t('understood', { count: months.length })}
        head={t('month')}
        areNumbers
        rows={months.map(({ month, value }) => ({
          key: month,
          name: format.period(`${month}-01`, 'month'),
          now: format.figure(before.get(month) ?? t('noTarget'), unit),
          next: format.figure(value ?? t('removedTarget'), unit),
        }))}
      />
      {left > 0 && <p className="small">{t('tooMany', { count: monthsMax })}</p>}
    </div>
  )
}
