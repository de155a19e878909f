import type { FormEvent, ReactNode } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Icon, type IconName } from '../../ui/display/icon.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import type { Report } from '../report-queries.ts'
import type { ReportSearch } from '../report-search.ts'
import classes from './report-controls.module.css'

export interface ControlsProps {
  report: Report
  search: ReportSearch
  today: string
  onChange: (search: ReportSearch) => void
}

/**
 * A panel to choose in, opened by a button that shows the choice and looks like a list.
 *
 * @param wide wide enough for any choice, so that what follows it stays in place
 */
export function ChoicePanel({
  label,
  icon,
  choice,
  wide = false,
  children,
}: {
  label: string
  icon: IconName
  choice: ReactNode
  wide?: boolean
  children: ReactNode
}) {
  return (
    <Popover
      label={label}
      renderButton={(opener) => (
        <button type="button" {...opener} className={`${classes.choice} ${wide ? classes.wide : ''}`}>
          <Icon name={icon} />
          <span>{choice}</span>
          <Icon name="down" />
        </button>
      )}
    >
      {children}
    </Popover>
  )
}

/**
 * Fields in a panel, which closes once they are applied.
 *
 * @param onSubmit false: a field is wrong
 */
export function PanelForm({
  className,
  submit,
  onSubmit,
  children,
}: {
  className: string | undefined
  submit: string
  onSubmit: () => boolean
  children: ReactNode
}) {
  function apply(event: FormEvent): void {
    event.preventDefault()
    if (onSubmit()) document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
  }
  return (
    // The panel's keys and presses act on its items, not on fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={className}
      onSubmit={apply}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
      <Button type="submit">{submit}</Button>
    </form>
  )
}
