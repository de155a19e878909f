import type { ReactNode } from 'react'
import classes from './section.module.css'

/**
 * A part of a card.
 *
 * @param title its heading (level 2)
 * @param line under the heading
 * @param actions buttons beside the heading
 */
export function Section({
  children,
  id,
  title,
  line,
  actions,
}: {
  children?: ReactNode
  id?: string
  title?: ReactNode
  line?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div id={id} className={classes.section}>
      {title !== undefined && (
        <div className={classes.head}>
          <div>
            <h2>{title}</h2>
            {line !== undefined && <p className={classes.line}>{line}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </div>
  )
}
