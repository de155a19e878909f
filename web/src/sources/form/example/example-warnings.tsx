import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../company/use-format.ts'
import { isolate } from '../../../language/isolate.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Note } from '../../../ui/feedback/note.tsx'
import { focusLater } from '../../focus-later.ts'
import type { ReadExample } from '../form-state.ts'
import classes from '../source-form.module.css'

type Warning = ReadExample['warnings'][number]

/** Warnings that are shown at first. */
const warningsShownMax = 5
const listId = 'example-warnings'

/** What in an example would be refused or misread, and what to do about it. */
export function ExampleWarnings({ warnings }: { warnings: readonly Warning[] }) {
  const { t } = useTranslation('sources')
  const [showsAll, setShowsAll] = useState(false)
  const count = warnings.length
  if (count === 0) return null
  const showAll = (): void => {
    setShowsAll(true)
    focusLater(listId)
  }
  return (
    <Note tone="amber" icon="warning" title={t('warning.title', { count })}>
      <ul id={listId} tabIndex={-1} className={classes.warnings}>
        {warnings.slice(0, showsAll ? count : warningsShownMax).map((warning) => (
          <li key={`${warning.code} ${warning.field} ${warning.value}`}>
            <WarningText warning={warning} />
          </li>
        ))}
      </ul>
      {!showsAll && count > warningsShownMax && (
        <Button small onClick={showAll}>
          {t('warning.all', { count })}
        </Button>
      )}
    </Note>
  )
}

function WarningText({ warning: { code, field, row, value, suggestion, rows } }: { warning: Warning }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const isOfRow = code === 'would_be_refused' || code === 'mostly_numbers'
  return (
    <>
      {t(`warning.${code}`, {
        field: isolate(field ?? ''),
        value: isolate(value ?? ''),
        count: rows ?? 1,
        rows: format.count(rows ?? 1),
      })}
      {isOfRow && row !== null && value !== null && (
        <>
          {' '}
          {t('warning.row', { row })} <code>{value}</code>
          {suggestion !== null && t('warning.send')} {suggestion !== null && <code>{suggestion}</code>}.
        </>
      )}
    </>
  )
}
