import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './error-summary.module.css'

/** What is wrong in one field. */
export interface FieldFault {
  /** The `id` that the field was given. */
  fieldId: string
  message: string
}

/**
 * All that is wrong with a form, above it, each line a link to its field. It takes the focus when it comes and whenever
 * the faults change: give it the array that the last sending made.
 */
export function ErrorSummary({ faults }: { faults: readonly FieldFault[] }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (faults.length > 0) box.current?.focus()
  }, [faults])
  if (faults.length === 0) return null
  return (
    <div ref={box} tabIndex={-1} role="alert" className={classes.summary}>
      <h2 className={classes.title}>{t('ui.faults', { count: faults.length })}</h2>
      <ul className={classes.list}>
        {faults.map(({ fieldId, message }) => (
          <li key={`${fieldId} ${message}`}>
            <a
              href={`#${fieldId}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(fieldId)?.focus()
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
