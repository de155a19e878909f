import { useState } from 'react'
import { isolate } from '../language/isolate.ts'
import { useTexts } from '../language/language.ts'
import { Button } from '../ui/button.tsx'
import { Check } from '../ui/check.tsx'
import { SearchField } from '../ui/field.tsx'
import { Popover } from '../ui/popover.tsx'
import { SelectField } from '../ui/select.tsx'
import { useNames } from './names.ts'
import type { ControlsProps } from './controls-props.ts'
import { ChoiceButton } from './choice-button.tsx'
import classes from './report-controls.module.css'
import { filtersOf, withFilter, withoutFilters } from './report-search.ts'

/** More values than this are searched. */
const listedMax = 8

/** Counts only some values of labels. */
export function FilterChoice(props: ControlsProps) {
  const t = useTexts('reports')
  const { search, onChange } = props
  const filters = filtersOf(search)
  const count = Object.keys(filters).length
  return (
    <Popover
      label={t('filters')}
      renderButton={(opener) => (
        <ChoiceButton opener={opener} icon="filter">
          {t('filters')} {count > 0 && <span className={classes.count}>{count}</span>}
        </ChoiceButton>
      )}
    >
      <div className={classes.panel}>
        <Values {...props} />
        {count > 0 && (
          <Button variant="quiet" onClick={() => onChange(withoutFilters(search))}>
            {t('clearFilters')}
          </Button>
        )}
      </div>
    </Popover>
  )
}

function Values({ report, search, onChange }: ControlsProps) {
  const t = useTexts('reports')
  const names = useNames()
  const [chosen, setChosen] = useState<string>()
  const [text, setText] = useState('')
  const label = report.labels.find(({ name }) => name === chosen) ?? report.labels[0]
  if (label === undefined) return null
  const picked = filtersOf(search)[label.name] ?? []
  // One that is in the address and in none of these periods can be taken back too.
  const values = [...new Set([...label.values, ...picked])]
  const found = values.filter((value) =>
    names.value(label.name, value).toLowerCase().includes(text.toLowerCase()),
  )
  const choose = (value: string, on: boolean): void =>
    onChange(
      withFilter(search, label.name, on ? [...picked, value] : picked.filter((other) => other !== value)),
    )
  return (
    <>
      {report.labels.length > 1 && (
        <SelectField
          label={t('label')}
          value={label.name}
          options={report.labels.map(({ name }) => ({ value: name, label: name }))}
          onChange={(name) => {
            setChosen(name)
            setText('')
          }}
        />
      )}
      {values.length > listedMax && <SearchField label={t('findValue')} value={text} onChange={setText} />}
      <fieldset className={classes.values}>
        <legend className="unseen">{t('onlyThese', { label: isolate(label.name) })}</legend>
        {found.map((value) => (
          <Check
            key={value}
            label={<bdi>{names.value(label.name, value)}</bdi>}
            checked={picked.includes(value)}
            onChange={(on) => choose(value, on)}
          />
        ))}
      </fieldset>
      {found.length === 0 && <p className="small">{t('noValue')}</p>}
      {label.more && <p className="small">{t('moreValues', { count: label.values.length })}</p>}
    </>
  )
}
