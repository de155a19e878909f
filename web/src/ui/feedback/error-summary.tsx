import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './error-summary.module.css'

/** An error in one field. */
export interface FieldFault {
  fieldId: string
  message: string
}

/**
 * The errors of a form, above it, each a link to its field. Takes the focus after each submission that has errors.
 *
 * @param props.sending a new object for each submission, where `faults` is not one
 */
export function ErrorSummary({
  faults,
  sending = faults,
}: {
  faults: readonly FieldFault[]
  sending?: object
}) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const hasFaults = faults.length > 0
  const focusedFor = useRef<object>(undefined)
  useEffect(() => {
    if (hasFaults && focusedFor.current !== sending) box.current?.focus()
    focusedFor.current = hasFaults ? sending : undefined
  }, [hasFaults, sending])
  if (!hasFaults) return null
  return (
    <div ref={box} tabIndex={-1} role="alert" className={classes.summary}>
      <h2>{t('ui.faults', { count: faults.length })}</h2>
      <ul>
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
