import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { OpenerProps } from '../ui/popover.tsx'
import classes from './report-controls.module.css'

/** Opens a panel in which something is chosen, and says what is: as the lists beside it look. */
export function ChoiceButton({
  icon,
  opener,
  children,
}: {
  icon: IconName
  opener: OpenerProps
  children: ReactNode
}) {
  return (
    <button type="button" {...opener} className={classes.choice}>
      <Icon name={icon} />
      <span>{children}</span>
      <Icon name="down" />
    </button>
  )
}
