import { useTranslation } from 'react-i18next'
import { filtersMax } from '../../../../src/engine/declarations/check-declaration.ts'
import { comparisons } from '../../../../src/engine/declarations/declaration.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { TextArea, TextField } from '../../ui/controls/field.tsx'
import { SelectField } from '../../ui/controls/select.tsx'
import { focusLater } from '../focus-later.ts'
import type { DraftFilter } from './filter-values.ts'
import type { EditorProps, StepProps } from './form-state.ts'
import classes from './source-form.module.css'

/** The conditions on the rows that a metric counts. */
export function FilterEditor(props: EditorProps) {
  const { metric, at, set, draft, change } = props
  const { t } = useTranslation('sources')
  const { filters } = metric
  const add = (): void => {
    const field = draft.fields.find(({ name }) => name !== '' && name !== draft.event_time)?.name ?? ''
    set({ filters: [...filters, { id: draft.next, field, comparison: '≠', value: '' }] })
    change((draft) => ({ ...draft, next: draft.next + 1 }))
    focusLater(`${at}.filters[${filters.length}].field`)
  }
  const setFilter = (id: number, given: Partial<DraftFilter>): void =>
    set({ filters: filters.map((other) => (other.id === id ? { ...other, ...given } : other)) })
  const remove = (id: number): void => {
    set({ filters: filters.filter((other) => other.id !== id) })
    focusLater(`${at}.add`)
  }
  return (
    <div className={classes.group} role="group" aria-label={t('metric.filters')}>
      {filters.map((filter, index) => (
        <FilterLine
          key={filter.id}
          {...props}
          filter={filter}
          at={`${at}.filters[${index}]`}
          number={index + 1}
          onChange={(given) => setFilter(filter.id, given)}
          onRemove={() => remove(filter.id)}
        />
      ))}
      <div>
        <Button
          id={`${at}.add`}
          variant="quiet"
          icon="plus"
          small
          disabled={filters.length >= filtersMax}
          onClick={add}
        >
          {t('metric.addFilter')}
        </Button>
      </div>
    </div>
  )
}

interface FilterLineProps extends StepProps {
  filter: DraftFilter
  at: string
  number: number
  onChange: (change: Partial<DraftFilter>) => void
  onRemove: () => void
}

function FilterLine(props: FilterLineProps) {
  const { filter, at, number, draft, getFault, onChange, onRemove } = props
  const { t } = useTranslation('sources')
  const { field, comparison } = filter
  const names = [...new Set([...draft.fields.map(({ name }) => name).filter(Boolean), field])]
  return (
    <div className={classes.line}>
      <SelectField
        id={`${at}.field`}
        label={number === 1 ? t('metric.onlyWhere') : t('metric.andWhere')}
        error={getFault(`${at}.field`)}
        value={field}
        options={names.map((name) => ({ value: name, label: name || t('metric.choose') }))}
        onChange={(field) => onChange({ field })}
      />
      <SelectField
        id={`${at}.comparison`}
        label={t('metric.comparison')}
        value={comparison}
        options={comparisons.map((value) => ({ value, label: t(`comparison.${value}`) }))}
        onChange={(comparison) => onChange({ comparison })}
      />
      <FilterValue {...props} />
      <span className={classes.atControl}>
        <IconButton icon="close" label={t('metric.removeFilter', { number })} onClick={onRemove} />
      </span>
    </div>
  )
}

function FilterValue({ filter, at, draft, getFault, onChange }: FilterLineProps) {
  const { t } = useTranslation('sources')
  const { field, comparison, value, quoted } = filter
  const type = draft.fields.find(({ name }) => name === field)?.type
  const isList = comparison === 'in'
  const hint = quoted ? t('metric.quotedHint') : isList ? t('metric.valuesHint') : undefined
  const control = {
    id: `${at}.value`,
    label: t(isList ? 'metric.values' : 'metric.value'),
    error: getFault(`${at}.value`),
    value,
    onChange: (value: string) => onChange({ value }),
  }
  // With another comparison, several lines stay visible until one is left.
  if (isList || value.includes('\n')) return <TextArea {...control} hint={hint} rows={3} />
  if (type !== 'bool') return <TextField {...control} hint={hint} />
  const options = (['true', 'false'] as const).map((value) => ({ value, label: t(`metric.${value}`) }))
  return <SelectField {...control} options={[{ value: '', label: t('metric.choose') }, ...options]} />
}
