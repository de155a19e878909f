import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { may, useCompany } from '../../company/company.ts'
import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Check } from '../../ui/controls/check.tsx'
import { SearchField } from '../../ui/controls/field.tsx'
import { SelectField } from '../../ui/controls/select.tsx'
import { useAnnotated } from '../notes/annotations.ts'
import { labelNamesQuery, useNamedValues } from '../value-names.ts'
import { type ControlsProps, ChoicePanel } from './choice-panel.tsx'
import { getFilters, withFilter, withoutFilters } from '../report-search.ts'
import classes from './report-controls.module.css'

/** With more values there is a search field. */
const listedMax = 8

/** Counts only some values of labels. */
export function FilterChoice(props: ControlsProps) {
  const t = useTexts('reports')
  const { search, onChange } = props
  const count = Object.keys(getFilters(search)).length
  const choice = (
    <>
      {t('filters')} {count > 0 && <span className={classes.count}>{count}</span>}
    </>
  )
  return (
    <ChoicePanel label={t('filters')} icon="filter" choice={choice}>
      <div className={classes.panel}>
        <Values {...props} />
        {count > 0 && (
          <Button variant="quiet" onClick={() => onChange(withoutFilters(search))}>
            {t('clearFilters')}
          </Button>
        )}
      </div>
    </ChoicePanel>
  )
}

function Values({ report, search, onChange }: ControlsProps) {
  const t = useTexts('reports')
  const nameValues = useNamedValues()
  const [chosen, setChosen] = useState<string>()
  const [text, setText] = useState('')
  const label = report.labels.find(({ name }) => name === chosen) ?? report.labels[0]
  if (label === undefined) return null
  const picked = getFilters(search)[label.name] ?? []
  // A value of the address that none of these periods has can be removed too.
  const values = [...new Set([...label.values, ...picked])]
  const found = nameValues(label.name, values).filter(({ name }) =>
    name.toLowerCase().includes(text.toLowerCase()),
  )
  const choose = (value: string, on: boolean): void => {
    const others = picked.filter((other) => other !== value)
    onChange(withFilter(search, label.name, on ? [...others, value] : others))
  }
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
        {found.map(({ value, name }) => (
          <Check
            key={value}
            label={<bdi>{name}</bdi>}
            checked={picked.includes(value)}
            onChange={(on) => choose(value, on)}
          />
        ))}
      </fieldset>
      {found.length === 0 && <p className="small">{t('noValue')}</p>}
      {label.more && <p className="small">{t('moreValues', { count: label.values.length })}</p>}
      <NameValues label={label.name} values={values} />
    </>
  )
}

/** Opens the names of a label's values. */
function NameValues({ label, values }: { label: string; values: readonly string[] }) {
  const t = useTexts('notes')
  const { company_id, role } = useCompany()
  const { open } = useAnnotated()
  const { data } = useQuery(labelNamesQuery(company_id))
  if (data === undefined || open === undefined || !may(role, 'developer')) return null
  const unnamed = { label, revision: 0, names: [], saved_by: null, saved_at: null }
  const known = data.answer.labels.find((each) => each.label === label) ?? unnamed
  return (
    <Button variant="quiet" onClick={() => open({ kind: 'names', known, values })}>
      {t('nameValues')}
    </Button>
  )
}
