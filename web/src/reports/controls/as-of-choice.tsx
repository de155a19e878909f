import { useState } from 'react'
import { useCompany } from '../../company/company.ts'
import { useFormat } from '../../company/use-format.ts'
import { instantAt, wallClockAt } from '../../company/zoned-time.ts'
import { useTexts } from '../../language/language.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { ChoicePanel, type ControlsProps, PanelForm } from './choice-panel.tsx'
import classes from './report-controls.module.css'

/** Shows the figures as known at an instant, in the company's time zone. */
export function AsOfChoice(props: Pick<ControlsProps, 'search' | 'onChange'>) {
  const t = useTexts('reports')
  const format = useFormat()
  const { search, onChange } = props
  const { as_of } = search
  const choice = as_of === undefined ? t('asNow') : t('asKnownOn', { when: format.instant(as_of) })
  const panel = (
    <ChoicePanel label={t('asOf')} icon="clock" choice={choice}>
      <Instant key={as_of} {...props} />
    </ChoicePanel>
  )
  if (as_of === undefined) return panel
  const reset = (): void => onChange({ ...search, as_of: undefined })
  return (
    <span className={classes.chosen}>
      {panel}
      <IconButton icon="close" label={t('backToNow')} onClick={reset} />
    </span>
  )
}

function Instant({ search, onChange }: Pick<ControlsProps, 'search' | 'onChange'>) {
  const t = useTexts('reports')
  const { time_zone } = useCompany()
  const [wallClock, setWallClock] = useState(() => {
    const ms = search.as_of === undefined ? Date.now() : Date.parse(search.as_of)
    return wallClockAt(ms, time_zone).slice(0, '2026-10-10T18:00'.length)
  })
  const [isWrong, setIsWrong] = useState(false)
  function onSubmit(): boolean {
    const instant = instantAt(wallClock, time_zone)
    setIsWrong(instant === undefined)
    if (instant !== undefined) onChange({ ...search, as_of: instant })
    return instant !== undefined
  }
  return (
    <PanelForm className={classes.panel} submit={t('showThen')} onSubmit={onSubmit}>
      <TextField
        type="datetime-local"
        data-autofocus
        label={t('asOf')}
        hint={t('asOfHint', { zone: time_zone })}
        error={isWrong ? t('asOfWrong') : undefined}
        value={wallClock}
        onChange={setWallClock}
      />
    </PanelForm>
  )
}
