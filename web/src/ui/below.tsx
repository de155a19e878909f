import type { ReactNode } from 'react'
import classes from './below.module.css'

/**
 * What stands below something that is still loading: unseen until then, so that nothing that is seen moves. It is there all the
 * same, and loads meanwhile.
 *
 * @param isReady what stands above has its size
 */
export function Below({ isReady, children }: { isReady: boolean; children: ReactNode }) {
  return <div className={`${classes.below} ${isReady ? '' : classes.unseen}`}>{children}</div>
}
