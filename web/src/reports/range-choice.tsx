import { type FormEvent, useState } from 'react'
import { useFormat } from '../company/use-format.ts'
import type { Grain } from '../language/format-day.ts'
import { useTexts } from '../language/language.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { MenuItem, MenuList, Popover } from '../ui/popover.tsx'
import { firstRange, type RangeName, rangeNames } from './range.ts'
import { ChoiceButton } from './choice-button.tsx'
import classes from './report-controls.module.css'
import { daysOf } from './report-queries.ts'
import type { ReportSearch } from './report-search.ts'

/** Days that a report reaches over, as the service has them. */
const windowDaysMax = 731
const dayMs = 86_400_000

interface RangeProps {
  search: ReportSearch
  grain: Grain
  today: string
  onChange: (search: ReportSearch) => void
}

/** Which days: a preset, or the first and the last one. */
export function RangeChoice({ search, today, onChange }: RangeProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const { from, to, range } = search
  const hasDays = from !== undefined && to !== undefined
  const shown = hasDays ? undefined : (range ?? firstRange(search.grain))
  const choose = (name: RangeName): void =>
    onChange({ ...search, range: name, from: undefined, to: undefined, period: undefined })
  return (
    <Popover
      label={t('rangeOf')}
      renderButton={(opener) => (
        <ChoiceButton opener={opener} icon="calendar" roomy>
          <span className="unseen">{t('rangeOf')}: </span>
          {shown === undefined ? format.dayRange(from!, to!) : t(`range.${shown}`)}
        </ChoiceButton>
      )}
    >
      <MenuList>
        {rangeNames.map((name) => (
          <MenuItem
            key={name}
            {...(name === shown && { icon: 'check' as const, 'aria-current': true as const })}
            onClick={() => choose(name)}
          >
            {t(`range.${name}`)}
          </MenuItem>
        ))}
      </MenuList>
      <Days key={`${from} ${to} ${shown}`} search={search} today={today} onChange={onChange} />
    </Popover>
  )
}

function Days({ search, today, onChange }: Omit<RangeProps, 'grain'>) {
  const t = useTexts('reports')
  const { first, last } = daysOf(search, today)
  const [[from, to], setDays] = useState([first, last] as const)
  const [fault, setFault] = useState<'rangeWrong' | 'rangeReversed' | 'rangeTooLong'>()
  const show = (event: FormEvent): void => {
    event.preventDefault()
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
    const found = Number.isNaN(days)
      ? 'rangeWrong'
      : days < 1
        ? 'rangeReversed'
        : days > windowDaysMax
          ? 'rangeTooLong'
          : undefined
    setFault(found)
    if (found !== undefined) return
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
    onChange({ ...search, from, to, range: undefined, period: undefined })
  }
  return (
    // The panel's own keys go along its items; a field's are its own.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.days}
      onSubmit={show}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
    >
      <div className={classes.pairOfFields}>
        <TextField
          type="date"
          label={t('from')}
          value={from}
          error={fault && t(fault, { count: windowDaysMax })}
          onChange={(value) => setDays([value, to])}
        />
        <TextField type="date" label={t('until')} value={to} onChange={(value) => setDays([from, value])} />
      </div>
      <Button type="submit">{t('showDays')}</Button>
    </form>
  )
}
