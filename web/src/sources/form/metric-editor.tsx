import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelsMax } from '../../../../src/engine/declarations/check-declaration.ts'
import { periods } from '../../../../src/formats/values/period.ts'
import { useKnownMetrics } from '../../company/use-known-metrics.ts'
import { isolate } from '../../language/isolate.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { Field as FieldFrame } from '../../ui/controls/field.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { SelectField } from '../../ui/controls/select.tsx'
import { Row } from '../../ui/layout/page.tsx'
import { aggregationRules, aggregations } from '../../api/engine-rules.ts'
import type { Field } from '../declaration.ts'
import { focusLater } from '../focus-later.ts'
import { FilterEditor } from './filter-editor.tsx'
import type { EditorProps } from './form-state.ts'
import classes from './source-form.module.css'

/** All controls of a metric. */
export function MetricEditor(props: EditorProps) {
  const { metric, at, set, draft, getFault } = props
  const { t } = useTranslation('sources')
  const known = useKnownMetrics()
  const others = new Set(draft.metrics.filter(({ id }) => id !== metric.id).map((other) => other.metric))
  return (
    <>
      <div className={classes.pair}>
        <SelectField
          id={`${at}.metric`}
          label={t('metric.metric')}
          error={getFault(`${at}.metric`)}
          value={metric.metric}
          options={known.map(({ key, name, unit }) => ({
            value: key,
            label: `${name}, ${unit === 'count' ? t('metric.count') : unit}`,
            disabled: others.has(key),
          }))}
          onChange={(metric) => set({ metric })}
        />
        <SelectField
          id={`${at}.aggregation`}
          label={t('metric.aggregation')}
          error={getFault(`${at}.aggregation`)}
          value={metric.aggregation}
          options={aggregations.map((value) => ({ value, label: t(`aggregation.${value}`) }))}
          onChange={(aggregation) => set({ aggregation })}
        />
      </div>
      <CountedField {...props} />
      <FilterEditor {...props} />
      <div className={classes.pair}>
        <Labels {...props} />
        <Period {...props} />
      </div>
    </>
  )
}

function isNumber({ type, personal }: Field): boolean {
  return type === 'number' && !personal
}

/** The field that is counted, and for a sum the one that multiplies it. */
function CountedField({ metric, at, set, draft, getFault }: EditorProps) {
  const { t } = useTranslation('sources')
  const { aggregation, field, times } = metric
  const { counts, takesTimes } = aggregationRules[aggregation]
  const fields = counts === 'numbers' ? draft.fields.filter(isNumber) : draft.fields
  const names = fields.map(({ name }) => name)
  const toOptions = (chosen: string, empty: string) => [
    { value: '', label: empty },
    ...[...new Set([...names, chosen])].filter(Boolean).map((name) => ({ value: name, label: name })),
  ]
  const select = (
    <SelectField
      id={`${at}.field`}
      label={t(`metric.field.${aggregation}`)}
      error={getFault(`${at}.field`)}
      hint={counts === 'numbers' && !names.some(Boolean) ? t('metric.noNumbers') : undefined}
      value={field}
      options={toOptions(field, t(counts === 'rows' ? 'metric.everyRow' : 'metric.choose'))}
      onChange={(field) => set({ field })}
    />
  )
  if (!takesTimes) return select
  return (
    <div className={`${classes.line} ${classes.factors}`}>
      {select}
      <span className={classes.times} aria-hidden>
        ×
      </span>
      <SelectField
        id={`${at}.times`}
        label={t('metric.times')}
        error={getFault(`${at}.times`)}
        value={times}
        options={toOptions(times, t('metric.notMultiplied'))}
        onChange={(times) => set({ times })}
      />
    </div>
  )
}

/** The fields for whose values the metric is counted separately. */
function Labels({ metric: { group_by }, at, set, draft, getFault }: EditorProps) {
  const { t } = useTranslation('sources')
  const personal = draft.fields.filter((field) => field.personal).map(({ name }) => name)
  const free = draft.fields
    .filter(({ name, personal }) => name !== '' && !personal && name !== draft.event_time)
    .map(({ name }) => name)
    .filter((name) => !group_by.includes(name))
  const hint = { count: personal.length, names: personal.slice(0, 3).map(isolate).join(', ') }
  const remove = (name: string): void => {
    set({ group_by: group_by.filter((other) => other !== name) })
    focusLater(`${at}.group_by`)
  }
  return (
    <div className={classes.group}>
      <LabelChoice
        id={`${at}.group_by`}
        hint={personal.length === 0 ? undefined : t('metric.personal', hint)}
        error={getFault(`${at}.group_by`)}
        names={group_by.length >= labelsMax ? [] : free}
        onAdd={(name) => set({ group_by: [...group_by, name] })}
      />
      {group_by.length > 0 && (
        <Row>
          {group_by.map((name) => (
            <span key={name} className={classes.chip}>
              <bdi>{name}</bdi>
              <IconButton
                icon="close"
                label={t('metric.removeLabel', { name: isolate(name) })}
                onClick={() => remove(name)}
              />
            </span>
          ))}
        </Row>
      )}
    </div>
  )
}

interface LabelChoiceProps {
  id: string
  hint: string | undefined
  error: string | undefined
  names: readonly string[]
  onAdd: (name: string) => void
}

/**
 * A list in which each choice adds a label. With the keyboard, where others are passed on the way to it, only Enter or leaving the
 * list adds it.
 */
function LabelChoice({ names, onAdd, ...field }: LabelChoiceProps) {
  const { t } = useTranslation('sources')
  const [reached, setReached] = useState('')
  const isByKeys = useRef(false)
  const add = (name: string): void => {
    setReached('')
    if (names.includes(name)) onAdd(name)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- events of the list in it
    <div
      onPointerDown={() => (isByKeys.current = false)}
      onKeyDown={({ key }) => {
        isByKeys.current = true
        if (key === 'Enter') add(reached)
      }}
      onBlur={() => add(reached)}
    >
      <SelectField
        {...field}
        label={t('metric.labels')}
        value={reached}
        disabled={names.length === 0}
        options={['', ...names].map((value) => ({ value, label: value || t('metric.addLabel') }))}
        onChange={(name) => (isByKeys.current ? setReached(name) : add(name))}
      />
    </div>
  )
}

function Period({ metric: { period, aggregation }, set }: EditorProps) {
  const { t } = useTranslation('sources')
  const { adds } = aggregationRules[aggregation]
  const ofSum = period === 'day' ? 'metric.periodAdds' : 'metric.periodOnly'
  return (
    <FieldFrame label={t('metric.period')} hint={t(adds ? ofSum : 'metric.periodAlone')}>
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
    </FieldFrame>
  )
}
