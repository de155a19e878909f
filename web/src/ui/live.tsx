import type { ReactNode } from 'react'
import classes from './live.module.css'

/**
 * Says what came of itself, without showing it. It must be there, empty, before it has something to say.
 */
export function LiveRegion({ children }: { children?: ReactNode }) {
  return (
    <div role="status" className="unseen">
      {children}
    </div>
  )
}

/**
 * What is waited for: the page goes on by itself when it comes.
 *
 * @param boxed in a frame of its own, in the place of what comes
 * @param aside at its end: since when, or a button that gives it up
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
        <p role="status" className={boxed ? classes.title : ''}>
          {title}
        </p>
        {children !== undefined && <div className="quiet">{children}</div>}
      </div>
      {aside}
    </div>
  )
}
