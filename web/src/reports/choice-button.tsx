import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { OpenerProps } from '../ui/popover.tsx'
import classes from './report-controls.module.css'

/**
 * Opens a panel in which something is chosen, and says what is: as the lists beside it look.
 *
 * @param roomy has room for what may be chosen, so that what stands beside it stays there
 */
export function ChoiceButton({
  icon,
  opener,
  roomy = false,
  children,
}: {
  icon: IconName
  opener: OpenerProps
  roomy?: boolean
  children: ReactNode
}) {
  return (
    <button type="button" {...opener} className={`${classes.choice} ${roomy ? classes.roomy : ''}`}>
      <Icon name={icon} />
      <span>{children}</span>
      <Icon name="down" />
    </button>
  )
}
