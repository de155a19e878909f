import { useState } from 'react'
import { useCompany } from '../../company/company.ts'
import { useFormat } from '../../company/use-format.ts'
import { useTexts } from '../../language/language.ts'
import { TextField } from '../../ui/controls/field.tsx'
import { MenuItem } from '../../ui/overlays/popover.tsx'
import { getDefaultRange, type RangeName, rangeNames } from '../range.ts'
import { getDays } from '../report-queries.ts'
import { ChoicePanel, type ControlsProps, PanelForm } from './choice-panel.tsx'
import classes from './report-controls.module.css'

/** The most days of a report, as the service limits them. */
const windowDaysMax = 731
const dayMs = 86_400_000

/** Chooses the days: a preset, or the first and the last one. */
export function RangeChoice(props: Omit<ControlsProps, 'report'>) {
  const t = useTexts('reports')
  const format = useFormat()
  const { search, onChange } = props
  const { from, to } = search
  const range =
    from !== undefined && to !== undefined ? undefined : (search.range ?? getDefaultRange(search.grain))
  const choose = (name: RangeName): void =>
    onChange({ ...search, range: name, from: undefined, to: undefined, period: undefined })
  const choice = (
    <>
      <span className="unseen">{t('rangeOf')}: </span>
      {range === undefined ? format.dayRange(from!, to!) : t(`range.${range}`)}
    </>
  )
  return (
    <ChoicePanel label={t('rangeOf')} icon="calendar" choice={choice} wide>
      <div className={classes.ranges}>
        {rangeNames.map((name) => (
          <MenuItem
            key={name}
            {...(name === range && { icon: 'check', 'aria-current': true })}
            onClick={() => choose(name)}
          >
            {t(`range.${name}`)}
          </MenuItem>
        ))}
      </div>
      <Days key={`${from} ${to} ${range}`} {...props} />
    </ChoicePanel>
  )
}

function findFault(days: number) {
  if (Number.isNaN(days)) return 'rangeWrong'
  if (days < 1) return 'rangeReversed'
  return days > windowDaysMax ? 'rangeTooLong' : undefined
}

function Days({ search, today, onChange }: Omit<ControlsProps, 'report'>) {
  const t = useTexts('reports')
  const { first, last } = getDays(search, today, useCompany().fiscal_year_month)
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(last)
  const [fault, setFault] = useState<ReturnType<typeof findFault>>()
  function onSubmit(): boolean {
    const found = findFault((Date.parse(to) - Date.parse(from)) / dayMs + 1)
    setFault(found)
    if (found === undefined) onChange({ ...search, from, to, range: undefined, period: undefined })
    return found === undefined
  }
  const error = fault && t(fault, { count: windowDaysMax })
  return (
    <PanelForm className={classes.days} submit={t('showDays')} onSubmit={onSubmit}>
      <div className={classes.pairOfFields}>
        <TextField type="date" label={t('from')} value={from} error={error} onChange={setFrom} />
        <TextField type="date" label={t('until')} value={to} onChange={setTo} />
      </div>
    </PanelForm>
  )
}
