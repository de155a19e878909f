import type { ReactNode } from 'react'
import { type ControlProps, Field } from './field.tsx'
import { Icon, type IconName } from './icon.tsx'
import classes from './select.module.css'

export interface Option<Value extends string> {
  value: Value
  label: string
  disabled?: boolean
}

interface SelectProps<Value extends string> {
  value: Value
  options: readonly Option<Value>[]
  onChange: (value: Value) => void
  disabled?: boolean | undefined
}

function Native<Value extends string>({
  value,
  options,
  onChange,
  disabled,
  icon,
  full = false,
  ...control
}: SelectProps<Value> & {
  icon?: IconName | undefined
  full?: boolean
  'aria-label'?: string
} & Partial<ControlProps>) {
  return (
    <span
      className={`${classes.select} ${full ? classes.full : ''} ${icon === undefined ? '' : classes.withIcon}`}
    >
      {icon !== undefined && (
        <span className={classes.lead}>
          <Icon name={icon} />
        </span>
      )}
      <select
        {...control}
        className={classes.native}
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <span className={classes.chevron}>
        <Icon name="down" />
      </span>
    </span>
  )
}

/** One of several, in a row of controls: the browser's own list. Its label is said, not shown. */
export function Select<Value extends string>({
  label,
  ...rest
}: SelectProps<Value> & { label: string; icon?: IconName }) {
  return <Native {...rest} aria-label={label} />
}

/** One of several, in a form. */
export function SelectField<Value extends string>({
  id,
  label,
  hint,
  error,
  ...rest
}: SelectProps<Value> & {
  id?: string
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => <Native {...rest} {...control} full />}
    </Field>
  )
}
