import { useTranslation } from 'react-i18next'
import { useIsReachable } from '../../api/reachability.ts'
import classes from './connection-line.module.css'

/** Shows while the service cannot be reached. It is empty from the start, so that screen readers announce what it then says. */
export function ConnectionLine() {
  const { t } = useTranslation()
  const isReachable = useIsReachable()
  return (
    <p aria-live="polite" className={`small ${classes.line}`}>
      {!isReachable && t(navigator.onLine ? 'connection.unreachable' : 'connection.offline')}
    </p>
  )
}
