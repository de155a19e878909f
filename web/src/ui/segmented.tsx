import { type ButtonHTMLAttributes, useId } from 'react'
import { Icon, type IconName } from './icon.tsx'
import classes from './segmented.module.css'
import type { Option } from './select.tsx'

/** One of a few, all of them seen. The label is said, not shown. */
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
        <label key={option.value} className={classes.segment}>
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

/** Something that is on or off, at once. */
export function Toggle({
  pressed,
  icon,
  onToggle,
  children,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'onClick' | 'onToggle'> & {
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
