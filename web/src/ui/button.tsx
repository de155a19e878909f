import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import classes from './button.module.css'
import { Icon, type IconName } from './icon.tsx'

interface Look {
  /** `primary`: what the page is for, once on it. `danger`: cannot be undone; `dangerPrimary` is its answer in a dialog. */
  variant?: 'primary' | 'secondary' | 'danger' | 'dangerPrimary' | 'quiet' | undefined
  /** In tables, headings and notes. */
  small?: boolean | undefined
  /** As wide as what it stands in. */
  wide?: boolean | undefined
  icon?: IconName | undefined
}

function lookOf({ variant = 'secondary', small = false, wide = false }: Look): string {
  return [
    classes.button,
    variant !== 'secondary' && classes[variant],
    small && classes.small,
    wide && classes.wide,
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Its words say what comes of it.
 *
 * @param busy what it began is under way: it stays where it is, keeps the focus, and takes no second press
 */
export function Button({
  variant,
  small,
  wide,
  icon,
  busy = false,
  onClick,
  children,
  ...rest
}: Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
    busy?: boolean
    ref?: Ref<HTMLButtonElement>
  }) {
  return (
    <button
      type="button"
      {...rest}
      className={lookOf({ variant, small, wide })}
      {...(busy && { 'aria-disabled': true, 'aria-busy': true })}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A link out of the pages that looks like a button. */
export function ButtonAnchor({
  variant,
  small,
  wide,
  icon,
  children,
  ...rest
}: Look & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> & { ref?: Ref<HTMLAnchorElement> }) {
  return (
    <a {...rest} className={lookOf({ variant, small, wide })}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  )
}

/** A sign alone. Its label is what a screen reader says, and shows when pointed at. */
export function IconButton({
  icon,
  label,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'aria-label' | 'title'> & {
  icon: IconName
  label: string
  ref?: Ref<HTMLButtonElement>
}) {
  return (
    <button type="button" {...rest} className={classes.icon} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  )
}

/** Buttons beside each other, that wrap. */
export function Buttons({ children, end = false }: { children: ReactNode; end?: boolean }) {
  return <div className={end ? classes.rowEnd : classes.row}>{children}</div>
}
