import { type ControlProps, Field, type FieldTexts } from './field.tsx'
import field from './field.module.css'
import { Icon, type IconName } from '../display/icon.tsx'
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
  options,
  onChange,
  icon,
  full = false,
  ...control
}: SelectProps<Value> & { icon?: IconName; full?: boolean; 'aria-label'?: string } & Partial<ControlProps>) {
  return (
    <span className={`${classes.select} ${full ? classes.full : ''}`}>
      {icon !== undefined && <Icon name={icon} />}
      <select
        {...control}
        className={field.input}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  )
}

/** One of several, in a row of controls. Its label is only for screen readers. */
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
}: SelectProps<Value> & FieldTexts & { id?: string }) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => <Native {...rest} {...control} full />}
    </Field>
  )
}
