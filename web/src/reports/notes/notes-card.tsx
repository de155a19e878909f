import { useFormat } from '../../company/use-format.ts'
import { may, useCompany } from '../../company/company.ts'
import { useTexts } from '../../language/language.ts'
import { useMember } from '../../session/member.ts'
import { Button, Buttons } from '../../ui/controls/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useNames } from '../names.ts'
import type { Report } from '../report-queries.ts'
import { getReadOut } from '../shown-series.ts'
import { hasTargets, type Note, useAnnotated } from './annotations.ts'
import classes from './notes.module.css'
import { useLabelNames } from './use-label-names.ts'

interface NotesCardProps {
  report: Report
  /** The first day of the period that is read out. */
  chosen: string | undefined
  error: Error | null
}

/** The notes of the periods that are shown, the latest first. */
export function NotesCard({ report, chosen, error }: NotesCardProps) {
  const t = useTexts('notes')
  const format = useFormat()
  const { role } = useCompany()
  const { notes, open } = useAnnotated()
  const { periods, grain } = report
  const period = periods.find(({ start }) => start === chosen) ?? periods[getReadOut(report)]
  return (
    <div {...(notes.length === 0 && { className: classes.notPrinted })}>
      <Card>
        <Section
          title={t('title')}
          {...(notes.length === 0 && error === null && { line: t('none') })}
          actions={
            <div className={classes.notPrinted}>
              <Buttons>
                {hasTargets(report) && may(role, 'developer') && (
                  <Button small variant="quiet" onClick={() => open?.({ kind: 'targets' })}>
                    {t('targets')}
                  </Button>
                )}
                {period !== undefined && (
                  <Button
                    small
                    icon="plus"
                    onClick={() => open?.({ kind: 'add', place: { grain, start: period.start, labels: {} } })}
                  >
                    {t('addTo', { period: format.period(period.start, grain) })}
                  </Button>
                )}
              </Buttons>
            </div>
          }
        >
          {error !== null && <Failure error={error} title={t('failed')} />}
          {notes.length > 0 && (
            <ul className={classes.list}>
              {notes.map((note) => (
                <NoteItem key={note.note_id} note={note} />
              ))}
            </ul>
          )}
        </Section>
      </Card>
    </div>
  )
}

/** Its element, to which its marks lead. */
export function toNoteElement({ note_id }: Note): string {
  return `note-${note_id}`
}

function NoteItem({ note }: { note: Note }) {
  const t = useTexts('notes')
  const format = useFormat()
  const names = useNames()
  const nameLabels = useLabelNames()
  const { role } = useCompany()
  const { member_id } = useMember()
  const { open } = useAnnotated()
  const { author, edited_by, edited_at } = note
  const period = format.period(note.period_start, note.grain)
  const by = t('by', { who: author?.name ?? t('operator'), day: names.toDay(note.created_at) })
  const edited =
    edited_at !== null &&
    t('editedBy', { who: edited_by?.name ?? t('operator'), day: names.toDay(edited_at) })
  return (
    <li id={toNoteElement(note)} tabIndex={-1} className={classes.note}>
      <div>
        <p>
          <b>{[period, ...nameLabels(note.labels)].join(', ')}</b>
        </p>
        <p className={classes.text}>
          <bdi>{note.text}</bdi>
        </p>
        <p className="small">{[by, edited].filter(Boolean).join(', ')}</p>
      </div>
      {(role === 'owner' || author?.member_id === member_id) && (
        <div className={classes.notPrinted}>
          <Buttons>
            <Button
              small
              variant="quiet"
              aria-label={t('editOf', { period })}
              onClick={() => open?.({ kind: 'edit', note })}
            >
              {t('edit')}
            </Button>
            <Button
              small
              variant="quiet"
              aria-label={t('removeOf', { period })}
              onClick={() => open?.({ kind: 'remove', note })}
            >
              {t('remove')}
            </Button>
          </Buttons>
        </div>
      )}
    </li>
  )
}
