import { useTranslation } from 'react-i18next'
import { useIsReachable } from '../api/reachability.ts'
import classes from './connection-line.module.css'

/**
 * Says at the bottom of the screen that the service cannot be reached, for as long as that lasts. It lies over the page, which does
 * not move, and is there from the start, empty, so that screen readers read it out.
 */
export function ConnectionLine() {
  const { t } = useTranslation()
  const isReachable = useIsReachable()
  return (
    <p aria-live="polite" className={classes.line}>
      {!isReachable && t(navigator.onLine ? 'connection.unreachable' : 'connection.offline')}
    </p>
  )
}
