import { nameFault } from '../company/name-fault.ts'
import { isDecimal } from '../decimals/decimal.ts'
import type { Draft, DraftFilter, DraftMetric, Field, FieldType } from './draft.ts'
import { valuesOf } from './filter-values.ts'

export const formSteps = ['name', 'channel', 'fields', 'time', 'delivers', 'metrics'] as const
export type FormStep = (typeof formSteps)[number]

const nameFaults = {
  name: { empty: 'noName', tooLong: 'nameTooLong', hidden: 'nameHidden' },
  system_kind: { empty: 'noKind', tooLong: 'kindTooLong', hidden: 'kindHidden' },
} as const

/** What is wrong with a draft, as the texts `faults.…` say it. */
export type FaultCode =
  | (typeof nameFaults)[keyof typeof nameFaults][NonNullable<ReturnType<typeof nameFault>>]
  | 'noFields'
  | 'tooManyFields'
  | 'fieldName'
  | 'fieldTooLong'
  | 'fieldHidden'
  | 'fieldTwice'
  | 'noEventTime'
  | 'delivers'
  | 'noField'
  | 'goneField'
  | 'notNumber'
  | 'personalLabel'
  | 'noValue'
  | 'noNumber'
  | 'noBool'
  | 'noTimestamp'
  | 'oneValue'
  | 'notQuoted'
  | 'metricTwice'

export interface DraftFault {
  /** The control's `id`: the path that the service names it by. */
  fieldId: string
  step: FormStep
  code: FaultCode
}

/** As the service has them (docs/limits.md). It checks again, and has the last word. */
const fieldNameCharactersMax = 100
const fieldsMax = 200

function fieldFault({ name }: Field, seen: ReadonlySet<string>): FaultCode | undefined {
  if (name === '') return 'fieldName'
  if ([...name].length > fieldNameCharactersMax) return 'fieldTooLong'
  if (/\p{Cc}/u.test(name)) return 'fieldHidden'
  return seen.has(name) ? 'fieldTwice' : undefined
}

function faultsOfFields({ fields }: Draft): DraftFault[] {
  if (fields.length === 0) return [{ fieldId: 'fields', step: 'fields', code: 'noFields' }]
  const faults: DraftFault[] = []
  if (fields.length > fieldsMax) faults.push({ fieldId: 'fields', step: 'fields', code: 'tooManyFields' })
  const seen = new Set<string>()
  for (const [index, field] of fields.entries()) {
    const code = fieldFault(field, seen)
    if (code !== undefined) faults.push({ fieldId: `fields[${index}].name`, step: 'fields', code })
    seen.add(field.name)
  }
  return faults
}

const valueForms: Record<FieldType, { form: (value: string) => boolean; code: FaultCode }> = {
  number: {
    form: (value) => isDecimal(value) || /^-?\d+(\.\d+)?[eE][+-]?\d+$/.test(value),
    code: 'noNumber',
  },
  text: { form: () => true, code: 'noValue' },
  timestamp: {
    form: (value) => /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2}))?$/.test(value),
    code: 'noTimestamp',
  },
  bool: { form: (value) => /^(true|false)$/i.test(value), code: 'noBool' },
}

function filterFault(filter: DraftFilter, type: FieldType): FaultCode | undefined {
  if (filter.comparison !== 'in' && filter.value.includes('\n')) return 'oneValue'
  const values = valuesOf(filter)
  if (values.length === 0 || values.includes('')) return 'noValue'
  const { form, code } = valueForms[type]
  for (const value of values) {
    if (value === undefined) return 'notQuoted'
    if (!form(value)) return code
  }
  return undefined
}

function faultsOfMetric(draft: Draft, metric: DraftMetric, at: string): DraftFault[] {
  const faults: DraftFault[] = []
  const add = (part: string, code: FaultCode): void => {
    faults.push({ fieldId: `${at}.${part}`, step: 'metrics', code })
  }
  const named = (name: string): Field | undefined => draft.fields.find((field) => field.name === name)
  const { aggregation } = metric
  if (draft.metrics.some((other) => other.id < metric.id && other.metric === metric.metric)) {
    add('metric', 'metricTwice')
  }
  const isComputed = aggregation !== 'count' && aggregation !== 'count_distinct'
  const checkField = (name: string, part: string): void => {
    const field = named(name)
    if (field === undefined) add(part, 'goneField')
    else if (isComputed && (field.type !== 'number' || field.personal)) add(part, 'notNumber')
  }
  if (metric.field !== '') checkField(metric.field, 'field')
  else if (aggregation !== 'count') add('field', 'noField')
  if (aggregation === 'sum' && metric.times !== '') checkField(metric.times, 'times')
  for (const [index, filter] of metric.filters.entries()) {
    const field = named(filter.field)
    if (field === undefined) add(`filters[${index}].field`, filter.field === '' ? 'noField' : 'goneField')
    else {
      const code = filterFault(filter, field.type)
      if (code !== undefined) add(`filters[${index}].value`, code)
    }
  }
  for (const name of metric.group_by) {
    const field = named(name)
    if (field === undefined || field.personal) {
      add('group_by', field === undefined ? 'goneField' : 'personalLabel')
      break
    }
  }
  return faults
}

/** Everything that the service would not save, in the order of the steps. */
export function findFaults(draft: Draft): DraftFault[] {
  const faults: DraftFault[] = []
  for (const part of ['name', 'system_kind'] as const) {
    const fault = nameFault(draft[part])
    if (fault !== undefined) faults.push({ fieldId: part, step: 'name', code: nameFaults[part][fault] })
  }
  faults.push(...faultsOfFields(draft))
  const eventTime = draft.fields.find(({ name }) => name === draft.event_time)
  if (draft.event_time === '' || eventTime?.type !== 'timestamp') {
    faults.push({ fieldId: 'event_time', step: 'time', code: 'noEventTime' })
  }
  if (draft.delivers === '') faults.push({ fieldId: 'delivers', step: 'delivers', code: 'delivers' })
  for (const [index, metric] of draft.metrics.entries()) {
    faults.push(...faultsOfMetric(draft, metric, `metrics[${index}]`))
  }
  return faults
}

/** The step and control that the service means by a `field` of its, such as `metrics[0].group_by[1]` or `fields.0.name`. */
export function placeOf(field: string): { step: FormStep; fieldId: string } | undefined {
  const path = field.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]')
  const step = (
    [
      [/^(name|system_kind)$/, 'name'],
      [/^(delivery_way|document_form)$/, 'channel'],
      [/^fields/, 'fields'],
      [/^event_time$/, 'time'],
      [/^delivers$/, 'delivers'],
      [/^metrics/, 'metrics'],
    ] as const
  ).find(([form]) => form.test(path))?.[1]
  if (step === undefined) return undefined
  const fieldId = path.replace(/(group_by)\[\d+\]$/, '$1').replace(/values(\[\d+\])?$/, 'value')
  return { step, fieldId }
}
