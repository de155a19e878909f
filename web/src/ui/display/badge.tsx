import type { ReactNode } from 'react'
import classes from './badge.module.css'
import { Icon, type IconName } from './icon.tsx'

/**
 * Marks an exception. The usual state is a {@link PlainState}.
 *
 * @param props.tone `amber` late, ending soon, demo; `red` rejected, broken; `grey` paused, over; `test` test data;
 *   `outline` in progress or worth knowing
 */
export function Badge({
  tone = 'grey',
  icon,
  children,
}: {
  tone?: 'grey' | 'amber' | 'red' | 'test' | 'outline'
  icon?: IconName
  children: ReactNode
}) {
  return (
    <span className={`small ${classes.badge} ${classes[tone] ?? ''}`}>
      {icon !== undefined && <Icon name={icon} size={12} />}
      {children}
    </span>
  )
}

/** The usual state, in plain words: Active, Signed, Parsed. */
export function PlainState({ children }: { children: ReactNode }) {
  return (
    <span className={`small ${classes.plain}`}>
      <Icon name="check" size={12} />
      {children}
    </span>
  )
}
