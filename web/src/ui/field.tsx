import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'
import classes from './field.module.css'
import { Icon } from './icon.tsx'

interface FieldTexts {
  label: ReactNode
  /** What to write, and why it is asked. Always there, since a reader needs it most after a mistake. */
  hint?: ReactNode
  /** The cause, then what to do. Empty or undefined: there is none. */
  error?: string | undefined
}

/** What a control must be given, so that its texts are read out with it. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/**
 * A control with its label, hint and error.
 *
 * @param id of the control, where an {@link ErrorSummary} links to it
 * @param children makes the control of what it must be given
 */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: FieldTexts & { id?: string | undefined; children: (control: ControlProps) => ReactNode }) {
  const own = useId()
  const controlId = id ?? own
  const hintId = `${controlId}-hint`
  const errorId = `${controlId}-error`
  const hasError = error !== undefined && error !== ''
  const described = [hasError && errorId, hint !== undefined && hintId].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label htmlFor={controlId} className={classes.label}>
        {label}
      </label>
      {children({
        id: controlId,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': hasError ? true : undefined,
      })}
      {hasError && <FieldError id={errorId}>{error}</FieldError>}
      {hint !== undefined && (
        <div id={hintId} className={classes.hint}>
          {hint}
        </div>
      )}
    </div>
  )
}

function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} className={classes.error}>
      <Icon name="warning" size={12} />
      <span>{children}</span>
    </div>
  )
}

/**
 * One line of text.
 *
 * @param code what is sent or received to the letter
 */
export function TextField({
  id,
  label,
  hint,
  error,
  code = false,
  onChange,
  ...rest
}: FieldTexts &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange'> & {
    code?: boolean
    onChange?: (value: string) => void
    ref?: Ref<HTMLInputElement>
  }) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          {...(code && { spellCheck: false, autoCapitalize: 'none' })}
          {...rest}
          {...control}
          className={code ? `${classes.input} ${classes.code}` : classes.input}
          onChange={({ currentTarget: { value } }) => onChange?.(value)}
        />
      )}
    </Field>
  )
}

/** Several lines of text. */
export function TextArea({
  id,
  label,
  hint,
  error,
  code = false,
  onChange,
  ...rest
}: FieldTexts &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'onChange'> & {
    code?: boolean
    onChange?: (value: string) => void
    ref?: Ref<HTMLTextAreaElement>
  }) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          rows={5}
          {...(code && { spellCheck: false, autoCapitalize: 'none' })}
          {...rest}
          {...control}
          className={`${classes.input} ${classes.area} ${code ? classes.code : ''}`}
          onChange={({ currentTarget: { value } }) => onChange?.(value)}
        />
      )}
    </Field>
  )
}

/** Finds among what is listed; its label is said, not shown. */
export function SearchField({
  label,
  onChange,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange' | 'aria-label'> & {
  label: string
  onChange: (value: string) => void
  ref?: Ref<HTMLInputElement>
}) {
  return (
    <span className={classes.withIcon}>
      <Icon name="search" />
      <input
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        {...rest}
        aria-label={label}
        className={classes.input}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
    </span>
  )
}

/**
 * Ticks or choices that answer one question.
 *
 * @param id of the group, where an {@link ErrorSummary} links to it
 */
export function ChoiceGroup({
  id,
  label,
  hint,
  error,
  children,
}: FieldTexts & { id?: string; children: ReactNode }) {
  const own = useId()
  const groupId = id ?? own
  const errorId = `${groupId}-error`
  const hasError = error !== undefined && error !== ''
  return (
    <fieldset
      id={groupId}
      tabIndex={-1}
      className={classes.field}
      {...(hasError && { 'aria-describedby': errorId })}
    >
      <legend className={classes.label}>{label}</legend>
      {hint !== undefined && <div className={classes.hint}>{hint}</div>}
      {hasError && <FieldError id={errorId}>{error}</FieldError>}
      <div className={classes.choices}>{children}</div>
    </fieldset>
  )
}
