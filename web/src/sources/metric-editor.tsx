import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKnownMetrics } from '../company/use-known-metrics.ts'
import { isolate } from '../language/isolate.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Field, TextArea, TextField } from '../ui/field.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { SelectField } from '../ui/select.tsx'
import {
  type Aggregation,
  aggregations,
  type Comparison,
  comparisons,
  computedFields,
  type DraftFilter,
  type DraftMetric,
  type FieldType,
  periods,
} from './draft.ts'
import { focusLater } from './focus-later.ts'
import type { StepProps } from './form-state.ts'
import classes from './source-form.module.css'

interface EditorProps {
  metric: DraftMetric
  /** The path of the metric, which its controls' ids begin with. */
  at: string
  set: (change: Partial<DraftMetric>) => void
  props: StepProps
}

/** All of one metric, control by control. */
export function MetricEditor(editor: EditorProps) {
  const { metric, at, set, props } = editor
  const { t } = useTranslation('sources')
  const known = useKnownMetrics()
  const taken = new Set(props.draft.metrics.filter(({ id }) => id !== metric.id).map((other) => other.metric))
  return (
    <>
      <div className={classes.pair}>
        <SelectField
          id={`${at}.metric`}
          label={t('metric.metric')}
          error={props.faultOf(`${at}.metric`)}
          value={metric.metric}
          options={known.map(({ key, name, unit }) => ({
            value: key,
            label: `${name}, ${unit === 'count' ? t('metric.count') : unit}`,
            disabled: taken.has(key),
          }))}
          onChange={(metric) => set({ metric })}
        />
        <SelectField
          id={`${at}.aggregation`}
          label={t('metric.aggregation')}
          error={props.faultOf(`${at}.aggregation`)}
          value={metric.aggregation}
          options={aggregations.map((value) => ({ value, label: t(`aggregation.${value}`) }))}
          onChange={(aggregation: Aggregation) => set({ aggregation })}
        />
      </div>
      <CountedField {...editor} />
      <Filters {...editor} />
      <div className={classes.pair}>
        <Labels {...editor} />
        <Period {...editor} />
      </div>
    </>
  )
}

/** As the service takes them (docs/limits.md). */
const filtersMax = 20
const labelsMax = 20

const none = ''

/** The field that is counted; of a sum also what each value is multiplied by. */
function CountedField({ metric, at, set, props: { draft, faultOf } }: EditorProps) {
  const { t } = useTranslation('sources')
  const { aggregation, field, times } = metric
  const isCount = aggregation === 'count' || aggregation === 'count_distinct'
  const choices = isCount ? draft.fields : computedFields(draft.fields)
  const named = [...new Set(choices.map(({ name }) => name).filter((name) => name !== ''))]
  const options = (chosen: string, empty: string) => [
    { value: none, label: empty },
    ...[...named, ...(chosen === '' || named.includes(chosen) ? [] : [chosen])].map((name) => ({
      value: name,
      label: name,
    })),
  ]
  const label = t(`metric.field.${aggregation}`)
  const select = (
    <SelectField
      id={`${at}.field`}
      label={label}
      error={faultOf(`${at}.field`)}
      hint={!isCount && named.length === 0 ? t('metric.noNumbers') : undefined}
      value={field}
      options={options(field, t(aggregation === 'count' ? 'metric.everyRow' : 'metric.choose'))}
      onChange={(field) => set({ field })}
    />
  )
  if (aggregation !== 'sum') return select
  return (
    <div className={`${classes.line} ${classes.factors}`}>
      {select}
      <span className={classes.times} aria-hidden>
        ×
      </span>
      <SelectField
        id={`${at}.times`}
        label={t('metric.times')}
        error={faultOf(`${at}.times`)}
        value={times}
        options={options(times, t('metric.notMultiplied'))}
        onChange={(times) => set({ times })}
      />
    </div>
  )
}

function Filters({ metric, at, set, props }: EditorProps) {
  const { t } = useTranslation('sources')
  const { filters } = metric
  const { draft, change } = props
  const add = (): void => {
    const first = draft.fields.find(({ name }) => name !== '' && name !== draft.event_time)?.name ?? ''
    change((draft) => ({
      ...draft,
      next: draft.next + 1,
      metrics: draft.metrics.map((other) =>
        other.id === metric.id
          ? { ...other, filters: [...filters, { id: draft.next, field: first, comparison: '≠', value: '' }] }
          : other,
      ),
    }))
    focusLater(`${at}.filters[${filters.length}].field`)
  }
  return (
    <div className={classes.group} role="group" aria-label={t('metric.filters')}>
      {filters.map((filter, index) => (
        <FilterLine
          key={filter.id}
          filter={filter}
          at={`${at}.filters[${index}]`}
          number={index + 1}
          props={props}
          onChange={(given) =>
            set({
              filters: filters.map((other) => (other.id === filter.id ? { ...other, ...given } : other)),
            })
          }
          onRemove={() => {
            set({ filters: filters.filter(({ id }) => id !== filter.id) })
            focusLater(`${at}.add`)
          }}
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

function FilterLine({
  filter,
  at,
  number,
  props: { draft, faultOf },
  onChange,
  onRemove,
}: {
  filter: DraftFilter
  at: string
  number: number
  props: StepProps
  onChange: (change: Partial<DraftFilter>) => void
  onRemove: () => void
}) {
  const { t } = useTranslation('sources')
  const { field, comparison } = filter
  const type = draft.fields.find(({ name }) => name === field)?.type ?? 'text'
  const names = [...new Set([...draft.fields.map(({ name }) => name).filter((name) => name !== ''), field])]
  return (
    <div className={classes.line}>
      <SelectField
        id={`${at}.field`}
        label={number === 1 ? t('metric.onlyWhere') : t('metric.andWhere')}
        error={faultOf(`${at}.field`)}
        value={field}
        options={names.map((name) => ({ value: name, label: name === '' ? t('metric.choose') : name }))}
        onChange={(field) => onChange({ field })}
      />
      <SelectField
        id={`${at}.comparison`}
        label={t('metric.comparison')}
        value={comparison}
        options={comparisons.map((value) => ({ value, label: t(`comparison.${value}`) }))}
        onChange={(comparison: Comparison) => onChange({ comparison })}
      />
      <FilterValue
        id={`${at}.value`}
        type={type}
        filter={filter}
        error={faultOf(`${at}.value`)}
        onChange={(value) => onChange({ value })}
      />
      <span className={classes.atControl}>
        <IconButton icon="close" label={t('metric.removeFilter', { number })} onClick={onRemove} />
      </span>
    </div>
  )
}

function FilterValue({
  id,
  type,
  filter: { comparison, value, quoted },
  error,
  onChange,
}: {
  id: string
  type: FieldType
  filter: DraftFilter
  error: string | undefined
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('sources')
  const isList = comparison === 'in'
  const quotedHint = quoted === true ? t('metric.quotedHint') : undefined
  // Several lines, and another comparison is chosen: all of them are seen until one is left.
  if (isList || value.includes('\n')) {
    return (
      <TextArea
        id={id}
        label={t(isList ? 'metric.values' : 'metric.value')}
        hint={quotedHint ?? (isList ? t('metric.valuesHint') : undefined)}
        error={error}
        rows={3}
        value={value}
        onChange={onChange}
      />
    )
  }
  if (type === 'bool') {
    return (
      <SelectField
        id={id}
        label={t('metric.value')}
        error={error}
        value={value}
        options={['', 'true', 'false'].map((value) => ({
          value,
          label: value === '' ? t('metric.choose') : t(`metric.${value as 'true' | 'false'}`),
        }))}
        onChange={onChange}
      />
    )
  }
  return (
    <TextField
      id={id}
      label={t('metric.value')}
      hint={quotedHint}
      error={error}
      value={value}
      onChange={onChange}
    />
  )
}

/** The fields that the metric is counted for each value of. */
function Labels({ metric, at, set, props: { draft, faultOf } }: EditorProps) {
  const { t } = useTranslation('sources')
  const { group_by } = metric
  const personal = draft.fields.filter((field) => field.personal).map(({ name }) => name)
  const free = draft.fields.filter(
    ({ name, personal }) => name !== '' && !personal && !group_by.includes(name) && name !== draft.event_time,
  )
  return (
    <div className={classes.group}>
      <LabelChoice
        id={`${at}.group_by`}
        hint={
          personal.length === 0
            ? undefined
            : t('metric.personal', {
                count: personal.length,
                names: personal.slice(0, 3).map(isolate).join(', '),
              })
        }
        error={faultOf(`${at}.group_by`)}
        names={group_by.length >= labelsMax ? [] : free.map(({ name }) => name)}
        onAdd={(name) => set({ group_by: [...group_by, name] })}
      />
      {group_by.length > 0 && (
        <div className={classes.chips}>
          {group_by.map((name) => (
            <span key={name} className={classes.chip}>
              <bdi>{name}</bdi>
              <IconButton
                icon="close"
                label={t('metric.removeLabel', { name: isolate(name) })}
                onClick={() => {
                  set({ group_by: group_by.filter((other) => other !== name) })
                  focusLater(`${at}.group_by`)
                }}
              />
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

/**
 * A list of which each choice is a further label. By keys one walks over others to the one that is wanted: only Enter adds
 * it, or leaving the list.
 */
function LabelChoice({
  names,
  onAdd,
  ...field
}: {
  id: string
  hint: string | undefined
  error: string | undefined
  names: readonly string[]
  onAdd: (name: string) => void
}) {
  const { t } = useTranslation('sources')
  const [walkedTo, setWalkedTo] = useState('')
  const isByKeys = useRef(false)
  const add = (name: string): void => {
    setWalkedTo('')
    if (names.includes(name)) onAdd(name)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the list in it
    <div
      onPointerDown={() => (isByKeys.current = false)}
      onKeyDown={({ key }) => {
        isByKeys.current = true
        if (key === 'Enter') add(walkedTo)
      }}
      onBlur={() => add(walkedTo)}
    >
      <SelectField
        {...field}
        label={t('metric.labels')}
        value={walkedTo}
        disabled={names.length === 0}
        options={[
          { value: '', label: t('metric.addLabel') },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => (isByKeys.current ? setWalkedTo(name) : add(name))}
      />
    </div>
  )
}

function Period({ metric: { period, aggregation }, set }: EditorProps) {
  const { t } = useTranslation('sources')
  const adds = aggregation === 'sum' || aggregation === 'count'
  return (
    <Field
      label={t('metric.period')}
      hint={t(!adds ? 'metric.periodAlone' : period === 'day' ? 'metric.periodAdds' : 'metric.periodOnly')}
    >
      {({ id }) => (
        <div id={id}>
          <Segmented
            label={t('metric.period')}
            value={period}
            options={periods.map((value) => ({ value, label: t(`period.${value}`) }))}
            onChange={(period) => set({ period })}
          />
        </div>
      )}
    </Field>
  )
}
