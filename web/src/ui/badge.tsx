import type { ReactNode } from 'react'
import classes from './badge.module.css'
import { Icon, type IconName } from './icon.tsx'

/**
 * Says that this one differs from the usual. The usual state is a {@link PlainState}.
 *
 * @param tone `amber` late, ending soon, demo; `red` refused, broken; `grey` paused, over; `test` test data alone;
 *   `outline` on its way or worth knowing
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
    <span className={`${classes.badge} ${tone === 'grey' ? '' : classes[tone]}`}>
      {icon !== undefined && <Icon name={icon} size={12} />}
      {children}
    </span>
  )
}

/** The usual state, in plain words: Active, Signed, Parsed, Counts. */
export function PlainState({ icon = 'check', children }: { icon?: IconName; children: ReactNode }) {
  return (
    <span className={classes.plain}>
      <Icon name={icon} size={12} />
      {children}
    </span>
  )
}
