import type { ReactNode } from 'react'
import classes from './section.module.css'

/**
 * A part of a card.
 *
 * @param props.title its heading (level 2)
 * @param props.line under the heading
 * @param props.actions buttons next to the heading
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
            {line !== undefined && <p className="small">{line}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </div>
  )
}
