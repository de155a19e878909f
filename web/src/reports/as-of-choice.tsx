import { type FormEvent, useState } from 'react'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Popover } from '../ui/popover.tsx'
import type { ControlsProps } from './controls-props.ts'
import { ChoiceButton } from './choice-button.tsx'
import classes from './report-controls.module.css'
import { instantAt, wallClock } from './zoned-instant.ts'

/** Shows the figures as they were known at an instant, which is chosen by the company's clock. */
export function AsOfChoice({ search, onChange }: ControlsProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const { as_of } = search
  const popover = (
    <Popover
      label={t('asOf')}
      renderButton={(opener) => (
        <ChoiceButton opener={opener} icon="clock">
          {as_of === undefined ? t('asNow') : t('asKnownOn', { when: format.instant(as_of) })}
        </ChoiceButton>
      )}
    >
      <Instant key={as_of} search={search} onChange={onChange} />
    </Popover>
  )
  if (as_of === undefined) return popover
  return (
    <span className={classes.chosen}>
      {popover}
      <IconButton
        icon="close"
        label={t('backToNow')}
        onClick={() => onChange({ ...search, as_of: undefined })}
      />
    </span>
  )
}

function Instant({ search, onChange }: Pick<ControlsProps, 'search' | 'onChange'>) {
  const t = useTexts('reports')
  const { time_zone } = useCompany()
  const [wall, setWall] = useState(() => wallClock(search.as_of ?? new Date().toISOString(), time_zone))
  const [isWrong, setIsWrong] = useState(false)
  const show = (event: FormEvent): void => {
    event.preventDefault()
    const instant = instantAt(wall, time_zone)
    setIsWrong(instant === undefined)
    if (instant === undefined) return
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
    onChange({ ...search, as_of: instant })
  }
  return (
    // The panel's own keys go along its items; a field's are its own.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.panel}
      onSubmit={show}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
    >
      <TextField
        type="datetime-local"
        data-autofocus
        label={t('asOf')}
        hint={t('asOfHint', { zone: time_zone })}
        error={isWrong ? t('asOfWrong') : undefined}
        value={wall}
        onChange={setWall}
      />
      <Button type="submit">{t('showThen')}</Button>
    </form>
  )
}
