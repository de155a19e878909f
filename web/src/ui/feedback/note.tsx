import { type ReactNode, useId } from 'react'
import { Icon, type IconName } from '../display/icon.tsx'
import classes from './note.module.css'

const icons = { green: 'info', amber: 'clock', red: 'warning', neutral: 'info' } as const

/**
 * A remark about the content below it.
 *
 * @param props.title comes first, in bold
 * @param props.role if it appears without an action: `alert` interrupts a screen reader, `status` waits
 * @param props.action a button or link at its end
 */
export function Note({
  tone = 'green',
  icon = icons[tone],
  title,
  role = 'note',
  action,
  children,
}: {
  tone?: 'green' | 'amber' | 'red' | 'neutral'
  icon?: IconName
  title?: ReactNode
  role?: 'alert' | 'status' | 'note'
  action?: ReactNode
  children?: ReactNode
}) {
  const titleId = useId()
  return (
    <div
      role={role}
      className={`${classes.note} ${tone === 'green' ? '' : classes[tone]}`}
      {...(title !== undefined && { 'aria-labelledby': titleId })}
    >
      <Icon name={icon} />
      <div className={classes.body}>
        {title !== undefined && (
          <>
            <b id={titleId}>{title}</b>
            {typeof title === 'string' &&
              typeof children === 'string' &&
              !/[.!?:]\u2069?$/.test(title) &&
              '.'}{' '}
          </>
        )}
        {children}
      </div>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  )
}
