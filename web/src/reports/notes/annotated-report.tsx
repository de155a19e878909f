import { type ReactNode, useMemo, useState } from 'react'
import { addTexts, useTexts } from '../../language/language.ts'
import { en } from '../../language/en/notes.ts'
import { sv } from '../../language/sv/notes.ts'
import { LiveRegion } from '../../ui/feedback/live.tsx'
import type { Report, ReportId } from '../report-queries.ts'
import { annotate, AnnotatedContext, type Annotations, type NotesDialog } from './annotations.ts'
import { LabelNamesDialog } from './label-names-dialog.tsx'
import { NoteDialog, RemoveNote } from './note-dialog.tsx'
import { TargetsDialog } from './targets-dialog.tsx'

addTexts('notes', { en, sv })

/** A report's notes and targets for all that is inside of it, and their dialogs. */
export function AnnotatedReport({
  id,
  report,
  annotations,
  children,
}: {
  id: ReportId
  report: Report
  annotations: Annotations | undefined
  children: ReactNode
}) {
  const t = useTexts('notes')
  const [dialog, setDialog] = useState<NotesDialog>()
  const [done, setDone] = useState<'added' | 'saved' | 'removed' | 'targetsSaved' | 'namesSaved'>()
  const annotated = useMemo(
    () => ({ ...annotate(report, annotations), open: setDialog }),
    [report, annotations],
  )
  const close = (result?: typeof done): void => {
    setDialog(undefined)
    setDone(result)
  }
  const shown = { id, onClose: close }
  return (
    <AnnotatedContext value={annotated}>
      {children}
      <LiveRegion>{done !== undefined && t(done)}</LiveRegion>
      {dialog?.kind === 'add' && <NoteDialog {...shown} place={dialog.place} />}
      {dialog?.kind === 'edit' && <NoteDialog {...shown} note={dialog.note} />}
      {dialog?.kind === 'remove' && <RemoveNote {...shown} note={dialog.note} />}
      {dialog?.kind === 'names' && <LabelNamesDialog {...shown} {...dialog} />}
      {dialog?.kind === 'targets' && annotations !== undefined && (
        <TargetsDialog {...shown} targets={annotations.targets} />
      )}
    </AnnotatedContext>
  )
}
