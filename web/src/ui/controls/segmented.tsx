import { type ComponentProps, useId } from 'react'
import { Icon, type IconName } from '../display/icon.tsx'
import classes from './segmented.module.css'
import type { Option } from './select.tsx'

/** One of a few, all in view. The label is only for screen readers. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  wide = false,
}: {
  label: string
  value: Value
  options: readonly Option<Value>[]
  onChange: (value: Value) => void
  wide?: boolean
}) {
  const name = useId()
  return (
    <fieldset className={`${classes.segmented} ${wide ? classes.wide : ''}`}>
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

/** On or off, with immediate effect. */
export function Toggle({
  pressed,
  icon,
  onToggle,
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'className' | 'onClick' | 'onToggle'> & {
  pressed: boolean
  icon?: IconName
  onToggle: (pressed: boolean) => void
}) {
  return (
    <button
      type="button"
      {...rest}
      className={classes.toggle}
      aria-pressed={pressed}
      onClick={() => onToggle(!pressed)}
    >
      {pressed ? <Icon name="check" /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}
