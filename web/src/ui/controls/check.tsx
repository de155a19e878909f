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
  label,
  hint,
  id,
  onChange,
  ...input
}: ChoiceProps & {
  type: 'checkbox' | 'radio'
  name?: string
  value?: string
  onChange: (checked: boolean) => void
}) {
  const ownId = useId()
  const boxId = id ?? ownId
  const hintId = `${boxId}-hint`
  return (
    <div className={classes.choice}>
      <input
        {...input}
        id={boxId}
        className={classes.box}
        {...(hint !== undefined && { 'aria-describedby': hintId })}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
      <label htmlFor={boxId}>{label}</label>
      {hint !== undefined && (
        <div id={hintId} className={`small ${classes.hint}`}>
          {hint}
        </div>
      )}
    </div>
  )
}

/** A checkbox. */
export function Check(props: ChoiceProps & { onChange: (checked: boolean) => void }) {
  return <Choice type="checkbox" {...props} />
}

/** A radio button; those with the same `name` exclude each other. */
export function Radio({
  onChoose,
  ...rest
}: ChoiceProps & { name: string; value?: string; onChoose: () => void }) {
  return <Choice type="radio" {...rest} onChange={onChoose} />
}
