import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useCompany } from '../../company/company.ts'
import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import { useWrite } from '../../session/use-write.ts'
import { TextArea } from '../../ui/controls/field.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Stack } from '../../ui/layout/page.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { type LabelNames, labelNamesQuery } from '../value-names.ts'
import { findChanges, namesMax, parseNames, toTable } from './parse-names.ts'
import { PastedPreview, RefusedLines } from './pasted-preview.tsx'

/** What the company calls the values of a label: a table to type or paste into, with what would change. */
export function LabelNamesDialog({
  known: opened,
  values,
  onClose,
}: {
  known: LabelNames
  /** Those of the report. */
  values: readonly string[]
  onClose: (result?: 'namesSaved') => void
}) {
  const t = useTexts('notes')
  const { company_id } = useCompany()
  const client = useQueryClient()
  // As they were when the dialog opened or a save was refused: what the person has seen.
  const [known, setKnown] = useState(opened)
  const [pasted, setPasted] = useState(() => toTable(opened.names, values))
  const [fault, setFault] = useState('')
  const { names, refused } = useMemo(() => parseNames(pasted, known.names, values), [pasted, known, values])
  const changes = useMemo(() => findChanges(known.names, names), [known, names])
  const save = useWrite('PUT /console/companies/{company_id}/label-names', {
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: labelNamesQuery(company_id).queryKey })
      onClose('namesSaved')
    },
    onError: (error) => setKnown((before) => getTheirs(error) ?? before),
  })
  const theirs = save.error === null ? undefined : getTheirs(save.error)
  const findFault = (): string => {
    if (refused.length > 0) return t('nameLinesFirst')
    if (names.length > namesMax) return t('tooManyNames', { count: namesMax })
    return changes.length === 0 ? t('noNameChanged') : ''
  }
  const { label, revision } = known
  return (
    <ConfirmDialog
      title={t('namesTitle', { label: isolate(label) })}
      variant="primary"
      confirm={t('saveNames')}
      action={save}
      failed={theirs === undefined && t('namesNotSaved')}
      onConfirm={() => {
        const found = findFault()
        setFault(found)
        if (found === '')
          save.mutate({ path: { company_id }, body: { label, expected_revision: revision, names } })
      }}
      onClose={() => onClose()}
    >
      <Stack>
        {theirs !== undefined && <Meanwhile theirs={theirs} />}
        <TextArea
          label={t('pasteNames')}
          hint={t('pasteNamesHint')}
          error={fault}
          value={pasted}
          onChange={setPasted}
          code
          data-autofocus
        />
        <Changes changes={changes} />
        <RefusedLines
          title={t('nameLinesRefused', { count: refused.length })}
          refused={refused.map((line) => ({ ...line, why: t(`nameFault.${line.fault}`) }))}
        />
      </Stack>
    </ConfirmDialog>
  )
}

function Changes({ changes }: { changes: ReturnType<typeof findChanges> }) {
  const t = useTexts('notes')
  if (changes.length === 0) return null
  return (
    <PastedPreview
      caption={t('nameChanges', { count: changes.length })}
      head={t('value')}
      rows={changes.slice(0, 2 * namesMax).map(({ value, before, after }) => ({
        key: value,
        name: value,
        now: before ?? t('noName'),
        next: after ?? t('removedTarget'),
      }))}
    />
  )
}

function Meanwhile({ theirs: { saved_by } }: { theirs: LabelNames }) {
  const t = useTexts('notes')
  const who = isolate(saved_by?.name ?? t('operator'))
  return (
    <Note tone="amber" icon="members" role="alert" title={t('namesConflict', { who })}>
      {t('targetsConflictText')}
    </Note>
  )
}

/** The names as another member saved them, where that is why a save was refused. */
function getTheirs(error: Error): LabelNames | undefined {
  return ((error instanceof ApiError && error.details) as { label_names?: LabelNames } | undefined)
    ?.label_names
}
