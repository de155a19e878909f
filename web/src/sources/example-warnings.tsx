import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { focusLater } from './focus-later.ts'
import type { ReadExample } from './form-state.ts'
import classes from './source-form.module.css'

type Warning = ReadExample['warnings'][number]

/** Said at once; the others can be asked for. */
const warningsShownMax = 5
const listId = 'example-warnings'

/** What in an example would not be read as it stands, and what to do about it. */
export function ExampleWarnings({ warnings }: { warnings: readonly Warning[] }) {
  const { t } = useTranslation('sources')
  const [showsAll, setShowsAll] = useState(false)
  if (warnings.length === 0) return null
  const shown = showsAll ? warnings : warnings.slice(0, warningsShownMax)
  return (
    <Note tone="amber" icon="warning" title={t('warning.title', { count: warnings.length })}>
      <ul id={listId} tabIndex={-1} className={classes.warnings}>
        {shown.map((warning) => (
          <li key={`${warning.code} ${warning.field} ${warning.value}`}>
            <OneWarning warning={warning} />
          </li>
        ))}
      </ul>
      {shown.length < warnings.length && (
        <Button
          small
          onClick={() => {
            setShowsAll(true)
            focusLater(listId)
          }}
        >
          {t('warning.all', { count: warnings.length })}
        </Button>
      )}
    </Note>
  )
}

function OneWarning({ warning: { code, field, row, value, suggestion, rows } }: { warning: Warning }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  return (
    <>
      {t(`warning.${code}`, {
        field: field === null ? '' : isolate(field),
        value: value === null ? '' : isolate(value),
        count: rows ?? 1,
        rows: format.count(rows ?? 1),
      })}
      {(code === 'would_be_refused' || code === 'mostly_numbers') && row !== null && value !== null && (
        <>
          {' '}
          {t('warning.row', { row })} <code>{value}</code>
          {suggestion !== null && (
            <>
              {t('warning.send')} <code>{suggestion}</code>
            </>
          )}
          .
        </>
      )}
    </>
  )
}
