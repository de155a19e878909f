import type { ReactNode } from 'react'
import classes from './live.module.css'

/** Announces a change to screen readers. Render it before it has something to say, so that they notice. */
export function LiveRegion({ children }: { children?: ReactNode }) {
  return (
    <div role="status" className="unseen">
      {children}
    </div>
  )
}

/**
 * What the page is waiting for. It continues by itself.
 *
 * @param props.boxed framed, in the place of the awaited content
 * @param props.aside at its end, such as a button to cancel
 */
export function Waiting({
  title,
  boxed = false,
  aside,
  children,
}: {
  title: ReactNode
  boxed?: boolean
  aside?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={`${classes.waiting} ${boxed ? classes.box : ''}`}>
      <span className={classes.dot} />
      <div className={classes.words}>
        <p role="status">{boxed ? <b>{title}</b> : title}</p>
        {children !== undefined && <div className="quiet">{children}</div>}
      </div>
      {aside}
    </div>
  )
}
