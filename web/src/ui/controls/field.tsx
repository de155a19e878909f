import { type ComponentProps, type ReactNode, useId } from 'react'
import classes from './field.module.css'
import { Icon } from '../display/icon.tsx'

export interface FieldTexts {
  label: ReactNode
  /** What to write, and why. Stays visible with an error, when it is needed most. */
  hint?: ReactNode
  /** The cause, then what to do. Empty or undefined: there is none. */
  error?: string | undefined
}

/** Ties a control to its texts, so that screen readers read them together. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/**
 * A control with its label, hint and error.
 *
 * @param props.id of the control, for links from an {@link ErrorSummary}
 * @param props.children renders the control with these props
 */
export function Field({
  id,
  label,
  hint,
  error = '',
  children,
}: FieldTexts & { id?: string | undefined; children: (control: ControlProps) => ReactNode }) {
  const ownId = useId()
  const controlId = id ?? ownId
  const hintId = `${controlId}-hint`
  const errorId = `${controlId}-error`
  const described = [error !== '' && errorId, hint !== undefined && hintId].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label htmlFor={controlId} className="small">
        {label}
      </label>
      {children({
        id: controlId,
        'aria-describedby': described || undefined,
        'aria-invalid': error !== '' || undefined,
      })}
      <FieldError id={errorId} error={error} />
      {hint !== undefined && (
        <div id={hintId} className="small">
          {hint}
        </div>
      )}
    </div>
  )
}

function FieldError({ id, error }: { id: string; error: string }) {
  if (error === '') return null
  return (
    <div id={id} className={`small ${classes.error}`}>
      <Icon name="warning" size={12} />
      <span>{error}</span>
    </div>
  )
}

interface TextOptions {
  /** Shown in a fixed width, and never corrected. */
  code?: boolean
  onChange?: (value: string) => void
}

type TextProps<Element extends 'input' | 'textarea'> = TextOptions &
  Omit<ComponentProps<Element>, 'className' | 'onChange'>

function toTextControl<Rest>({ code = false, onChange, ...rest }: TextOptions & Rest) {
  return {
    autoComplete: 'off',
    ...(code && { spellCheck: false, autoCapitalize: 'none' }),
    ...rest,
    className: `${classes.input} ${code ? 'mono' : ''}`,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange?.(currentTarget.value),
  }
}

/** One line of text. */
export function TextField({ id, label, hint, error, ...rest }: FieldTexts & TextProps<'input'>) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => <input type="text" {...toTextControl(rest)} {...control} />}
    </Field>
  )
}

/** Several lines of text. */
export function TextArea({ id, label, hint, error, ...rest }: FieldTexts & TextProps<'textarea'>) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => <textarea rows={5} {...toTextControl(rest)} {...control} />}
    </Field>
  )
}

/** Searches a list. Its label is for screen readers; sighted readers see it as the placeholder. */
export function SearchField({
  label,
  ...rest
}: Omit<TextProps<'input'>, 'aria-label'> & { label: string; onChange: (value: string) => void }) {
  return (
    <span className={classes.withIcon}>
      <Icon name="search" />
      <input
        type="search"
        spellCheck={false}
        placeholder={label}
        {...toTextControl(rest)}
        aria-label={label}
      />
    </span>
  )
}

/**
 * Checks or radio buttons that answer one question.
 *
 * @param props.id of the group, for links from an {@link ErrorSummary}
 */
export function ChoiceGroup({
  id,
  label,
  hint,
  error = '',
  children,
}: FieldTexts & { id?: string; children: ReactNode }) {
  const ownId = useId()
  const errorId = `${id ?? ownId}-error`
  return (
    <fieldset
      id={id ?? ownId}
      tabIndex={-1}
      className={classes.field}
      {...(error !== '' && { 'aria-describedby': errorId })}
    >
      <legend className="small">{label}</legend>
      {hint !== undefined && <div className="small">{hint}</div>}
      <FieldError id={errorId} error={error} />
      <div className={classes.choices}>{children}</div>
    </fieldset>
  )
}
