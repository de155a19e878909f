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
 * All that is wrong with a form, above it, each line a link to its field. It takes the focus when it comes, and again with
 * each sending.
 *
 * @param sending another object for each sending; without it, `faults` is the array that the last one made
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
