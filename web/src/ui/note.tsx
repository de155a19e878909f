import { type ReactNode, useId } from 'react'
import { Icon, type IconName } from './icon.tsx'
import classes from './note.module.css'

const icons = { green: 'info', amber: 'clock', red: 'warning', neutral: 'info' } as const

/**
 * A sentence that holds for what stands below it.
 *
 * @param title comes first, in bold, and names the note
 * @param role `alert` where it comes of itself and matters now, `status` where it can wait; otherwise it is a note that
 *   stood there from the beginning
 * @param action a button or link at its end
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
            <span id={titleId} className={classes.title}>
              {title}
            </span>
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
