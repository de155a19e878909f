import type { ReactNode } from 'react'
import classes from './below.module.css'

/** Hides what is below content that is still loading, so that nothing visible moves. It is rendered, and loads, nevertheless. */
export function Below({ isReady, children }: { isReady: boolean; children: ReactNode }) {
  return <div className={`${classes.below} ${isReady ? '' : classes.unseen}`}>{children}</div>
}
