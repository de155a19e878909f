import { type ReactNode, useId } from 'react'
import classes from './check.module.css'

interface ChoiceProps {
  label: ReactNode
  /** Under the label, and read out after it. */
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  id?: string
}

function Choice({
  kind,
  name,
  value,
  label,
  hint,
  checked,
  disabled = false,
  id,
  onChange,
}: ChoiceProps & {
  kind: 'checkbox' | 'radio'
  name?: string
  value?: string
  onChange: (checked: boolean) => void
}) {
  const own = useId()
  const boxId = id ?? own
  const hintId = `${boxId}-hint`
  return (
    <div className={classes.choice}>
      <input
        id={boxId}
        type={kind}
        name={name}
        value={value}
        className={`${classes.box} ${kind === 'radio' ? classes.radio : classes.check}`}
        checked={checked}
        disabled={disabled}
        {...(hint !== undefined && { 'aria-describedby': hintId })}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
      <label htmlFor={boxId} className={classes.label}>
        {label}
      </label>
      {hint !== undefined && (
        <div id={hintId} className={classes.hint}>
          {hint}
        </div>
      )}
    </div>
  )
}

/** A box that is ticked or not. */
export function Check(props: ChoiceProps & { onChange: (checked: boolean) => void }) {
  return <Choice kind="checkbox" {...props} />
}

/** One of several; those of one `name` exclude each other. */
export function Radio({
  onChoose,
  ...rest
}: ChoiceProps & { name: string; value?: string; onChoose: () => void }) {
  return <Choice kind="radio" {...rest} onChange={onChoose} />
}
