import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import { useWrite } from '../../session/use-write.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextArea } from '../../ui/controls/field.tsx'
import { Note as Remark } from '../../ui/feedback/note.tsx'
import { Stack } from '../../ui/layout/page.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import type { ReportId } from '../report-queries.ts'
import { type Note, type NotePlace, renewAnnotations } from './annotations.ts'
import { useLabelNames } from './use-label-names.ts'

const notes = '/console/companies/{company_id}/sources/{source_id}/reports/{metric}/notes'

/** Characters of a note, as the service takes them. */
const charactersMax = 500

type Result = 'added' | 'saved' | 'removed'

interface NoteDialogProps {
  id: ReportId
  onClose: (result?: Result) => void
}

/** Writes a note on a period or figure, or changes one. */
export function NoteDialog(props: NoteDialogProps & ({ place: NotePlace } | { note: Note })) {
  const { id, onClose } = props
  const t = useTexts('notes')
  const format = useFormat()
  const client = useQueryClient()
  const nameLabels = useLabelNames()
  const formId = useId()
  // After another member's change, the note as it is now.
  const [note, setNote] = useState('note' in props ? props.note : undefined)
  const [text, setText] = useState(note?.text ?? '')
  const [fault, setFault] = useState('')
  const after = (result: Result) => async () => {
    await renewAnnotations(client, id)
    onClose(result)
  }
  const add = useWrite(`POST ${notes}`, { onSuccess: after('added') })
  const change = useWrite(`PUT ${notes}/{note_id}`, {
    onSuccess: after('saved'),
    onError: (error) => setNote((known) => getTheirs(error) ?? known),
  })
  const theirs = change.error === null ? undefined : getTheirs(change.error)
  const save = (): void => {
    if (text.trim() === '') return setFault(t('textEmpty'))
    setFault('')
    if (note !== undefined) {
      const body = { expected_revision: note.revision, text }
      return change.mutate({ path: { ...id, note_id: note.note_id }, body })
    }
    const { grain, start, labels } = (props as { place: NotePlace }).place
    return add.mutate({ path: id, body: { grain, period_start: start, labels, text } })
  }
  const { grain, start, labels } = 'place' in props ? props.place : toPlace(props.note)
  return (
    <ConfirmDialog
      title={<>{[format.period(start, grain), ...nameLabels(labels)].join(', ')}</>}
      confirm={t('save')}
      variant="primary"
      action={note === undefined ? add : change}
      failed={theirs === undefined && t('notSaved')}
      onConfirm={formId}
      onClose={() => onClose()}
    >
      <Stack>
        {theirs !== undefined && <Meanwhile theirs={theirs} onUse={() => setText(theirs.text)} />}
        <form
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <TextArea
            label={t('text')}
            hint={t('textHint', { count: charactersMax })}
            error={fault}
            value={text}
            maxLength={charactersMax}
            data-autofocus
            // A note is one line.
            onChange={(value) => setText(value.replaceAll(/[\r\n\t]+/g, ' '))}
          />
        </form>
      </Stack>
    </ConfirmDialog>
  )
}

/** Another member's change of the note that is edited, next to one's own. */
function Meanwhile({ theirs: { edited_by, text }, onUse }: { theirs: Note; onUse: () => void }) {
  const t = useTexts('notes')
  return (
    <Remark
      tone="amber"
      icon="members"
      role="alert"
      title={t('conflict', { who: isolate(edited_by?.name ?? t('operator')) })}
      action={
        <Button small onClick={onUse}>
          {t('keepTheirs')}
        </Button>
      }
    >
      {t('conflictText', { text: isolate(text) })} {t('conflictSave')}
    </Remark>
  )
}

function toPlace({ grain, period_start: start, labels }: Note): NotePlace {
  return { grain, start, labels }
}

/** The note as another member changed it, where that is why a save was refused. */
function getTheirs(error: Error): Note | undefined {
  return ((error instanceof ApiError && error.details) as { note?: Note } | undefined)?.note
}

export function RemoveNote({ id, note, onClose }: NoteDialogProps & { note: Note }) {
  const t = useTexts('notes')
  const client = useQueryClient()
  const remove = useWrite(`DELETE ${notes}/{note_id}`, {
    onSuccess: async () => {
      // The note goes first, so that the focus does not return to it.
      await renewAnnotations(client, id)
      onClose('removed')
    },
  })
  return (
    <ConfirmDialog
      title={t('removeTitle')}
      confirm={t('removeDo')}
      action={remove}
      failed={t('removeFailed')}
      onConfirm={() => remove.mutate({ path: { ...id, note_id: note.note_id } })}
      onClose={() => onClose()}
    >
      <p>
        <bdi>{note.text}</bdi>
      </p>
    </ConfirmDialog>
  )
}
