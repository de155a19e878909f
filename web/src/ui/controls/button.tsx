import type { ComponentProps, ReactNode } from 'react'
import classes from './button.module.css'
import { Icon, type IconName } from '../display/icon.tsx'

interface Look {
  /** `primary`: the page's main action. `danger`: cannot be undone; `dangerPrimary` confirms it in a dialog. */
  variant?: 'primary' | 'secondary' | 'danger' | 'dangerPrimary' | 'quiet' | undefined
  /** In tables, headings and notes. */
  small?: boolean | undefined
  /** As wide as its container. */
  wide?: boolean | undefined
  icon?: IconName | undefined
}

/** Turns the look into a class, and the icon and the words into the content. */
function applyLook<Rest>({
  variant = 'secondary',
  small = false,
  wide = false,
  icon,
  children,
  ...rest
}: Look & { children?: ReactNode } & Rest) {
  return {
    ...rest,
    className: [classes.button, classes[variant], small && classes.small, wide && classes.wide]
      .filter(Boolean)
      .join(' '),
    content: (
      <>
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </>
    ),
  }
}

/** @param props.busy its action is running: it keeps its place and the focus, and ignores further presses */
export function Button({
  busy = false,
  onClick,
  ...rest
}: Look & Omit<ComponentProps<'button'>, 'className'> & { busy?: boolean }) {
  const { content, ...look } = applyLook(rest)
  return (
    <button
      type="button"
      {...look}
      {...(busy && { 'aria-disabled': true, 'aria-busy': true })}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {content}
    </button>
  )
}

/** A link that leaves the pages and looks like a button. */
export function ButtonAnchor(props: Look & Omit<ComponentProps<'a'>, 'className'>) {
  const { content, ...look } = applyLook(props)
  return <a {...look}>{content}</a>
}

/** A button with only an icon. Screen readers read its label, which is also its tooltip. */
export function IconButton({
  icon,
  label,
  ...rest
}: Omit<ComponentProps<'button'>, 'className' | 'aria-label' | 'title'> & { icon: IconName; label: string }) {
  return (
    <button type="button" {...rest} className={classes.iconButton} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  )
}

/** Buttons in a row that wraps. */
export function Buttons({ children, end = false }: { children: ReactNode; end?: boolean }) {
  return <div className={`${classes.buttons} ${end ? classes.end : ''}`}>{children}</div>
}
