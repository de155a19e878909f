import { periods } from '../../formats/values/period.ts'
import { fieldTypes, readFieldValue } from '../fields/field-value.ts'
import type { AggregationRules } from '../aggregations/aggregation-definition.ts'
import { isStorableText } from '../../formats/json/is-storable-text.ts'
import { comparisons, type Field, type Metric, type Shape } from './declaration.ts'
import { secondsOfDay } from '../../formats/values/timestamp.ts'
import { knownMetrics } from './known-metrics.ts'

/** Fields of a source; a declaration with more is 400. */
export const fieldsMax = 200
/** Code points of a field's name; more are 400. */
export const fieldNameCharactersMax = 100
/** Filters of a metric; more are 400. */
export const filtersMax = 20
/** Fields that a metric is grouped by; more are 400. */
export const labelsMax = 20
/** Values that a filter `in` names; more are 400. */
export const inValuesMax = 1000

/** Faults that a form can cause, by which the pages have their own words for them. */
export type DeclarationFaultCode =
  | 'noFields'
  | 'tooManyFields'
  | 'fieldName'
  | 'fieldTooLong'
  | 'fieldHidden'
  | 'fieldTwice'
  | 'noEventTime'
  | 'metricTwice'
  | 'noField'
  | 'goneField'
  | 'notNumber'
  | 'noValue'
  | 'noNumber'
  | 'noBool'
  | 'noTimestamp'
  | 'personalLabel'

interface DeclarationFault {
  /** Such as `metrics[0].filters[1].value`. */
  field: string
  /** One sentence. */
  message: string
  code: DeclarationFaultCode | undefined
}

type AddFault = (field: string, message: string, code?: DeclarationFaultCode) => void

/**
 * Finds everything that is wrong with a declaration of the right form (its types are checked by the contract of the
 * route): names, types, and what the metrics do with the fields [fold.metric], [fold.once]. Empty when it may be
 * saved. The pages check their forms with it too, without the aggregations' code.
 *
 * @param rules of each aggregation
 */
export function checkDeclaration(
  shape: Shape,
  metrics: readonly Metric[],
  rules: Readonly<Record<string, AggregationRules>>,
): DeclarationFault[] {
  const faults: DeclarationFault[] = []
  const add: AddFault = (field, message, code) => faults.push({ field, message, code })
  checkShape(shape, add)
  const fields = new Map(shape.fields.map((field) => [field.name, field]))
  const seen = new Set<string>()
  for (const [index, metric] of metrics.entries()) {
    const at = `metrics[${index}]`
    if (!knownMetrics.some(({ key }) => key === metric.metric)) {
      add(`${at}.metric`, 'There is no metric with this key.')
    } else if (seen.has(metric.metric)) {
      add(`${at}.metric`, 'A source counts a metric at most once.', 'metricTwice')
    }
    seen.add(metric.metric)
    checkCounting(metric, rules, fields, at, add)
    checkFilters(metric, fields, at, add)
    checkLabels(metric, fields, at, add)
  }
  return faults
}

function checkShape({ fields, event_time }: Shape, add: AddFault): void {
  if (fields.length === 0) add('fields', 'A source has at least one field.', 'noFields')
  if (fields.length > fieldsMax) add('fields', `A source has at most ${fieldsMax} fields.`, 'tooManyFields')
  const seen = new Set<string>()
  for (const [index, { name, type }] of fields.entries()) {
    const at = `fields[${index}]`
    const characters = [...name].length
    if (characters === 0 || characters > fieldNameCharactersMax) {
      const message = `A name has 1 to ${fieldNameCharactersMax} characters.`
      add(`${at}.name`, message, characters === 0 ? 'fieldName' : 'fieldTooLong')
    } else if (/\p{Cc}/u.test(name) || !isStorableText(name)) {
      add(`${at}.name`, 'A name has no control characters.', 'fieldHidden')
    } else if (seen.has(name)) {
      add(`${at}.name`, 'Two fields have the same name.', 'fieldTwice')
    }
    seen.add(name)
    if (!fieldTypes.includes(type)) add(`${at}.type`, `A type is one of ${fieldTypes.join(', ')}.`)
  }
  const eventTime = fields.find(({ name }) => name === event_time)
  if (eventTime === undefined) add('event_time', 'There is no field with this name.', 'noEventTime')
  else if (eventTime.type !== 'timestamp') {
    add('event_time', 'The event time is a timestamp field.', 'noEventTime')
  }
}

type Fields = Map<string, Field>

function checkCounting(
  metric: Metric,
  rules: Readonly<Record<string, AggregationRules>>,
  fields: Fields,
  at: string,
  add: AddFault,
): void {
  const { aggregation, field, times, period } = metric
  if (!Object.hasOwn(rules, aggregation)) {
    add(`${at}.aggregation`, `A metric counts by one of ${Object.keys(rules).join(', ')}.`)
    return
  }
  if (!periods.includes(period)) add(`${at}.period`, `A period is one of ${periods.join(', ')}.`)
  const { counts, takesTimes } = rules[aggregation]!
  const checkField = (name: string, path: string) => {
    const declared = fields.get(name)
    if (declared === undefined) add(path, 'There is no field with this name.', 'goneField')
    else if (counts === 'numbers' && declared.type !== 'number') {
      add(path, `Only a number has a ${aggregation}.`, 'notNumber')
    } else if (counts === 'numbers' && declared.personal) {
      add(path, 'A personal field can only be filtered on and counted.', 'notNumber')
    }
  }
  if (field !== undefined) checkField(field, `${at}.field`)
  else if (counts !== 'rows') add(`${at}.field`, `A ${aggregation} needs a field.`, 'noField')
  if (times !== undefined) {
    if (takesTimes) checkField(times, `${at}.times`)
    else add(`${at}.times`, `A ${aggregation} has no second factor.`)
  }
}

/** In UTC: the zone says which instant a bare date is, not whether it is one. */
const anyTimeZone = { toMidnight: (day: number) => day * secondsOfDay }

/** Any text is a text; what is not storable as one is no usual mistake. */
const misfits = { number: 'noNumber', bool: 'noBool', timestamp: 'noTimestamp', text: undefined } as const

function checkFilters(metric: Metric, fields: Fields, at: string, add: AddFault): void {
  if (metric.filters.length > filtersMax) {
    add(`${at}.filters`, `A metric has at most ${filtersMax} filters.`)
  }
  for (const [index, filter] of metric.filters.entries()) {
    const path = `${at}.filters[${index}]`
    const declared = fields.get(filter.field)
    if (declared === undefined) {
      const code = filter.field === '' ? 'noField' : 'goneField'
      add(`${path}.field`, 'There is no field with this name.', code)
      continue
    }
    if (!comparisons.includes(filter.comparison)) {
      add(`${path}.comparison`, `A comparison is one of ${comparisons.join(' ')}.`)
      continue
    }
    const checkValue = (value: string, valuePath: string) => {
      // An empty text is a missing value, which nothing equals.
      const read = value === '' ? undefined : readFieldValue(declared.type, value, anyTimeZone)
      if (read === undefined || typeof read === 'string') {
        add(valuePath, `The value is no ${declared.type}.`, value === '' ? 'noValue' : misfits[declared.type])
      }
    }
    if (filter.comparison !== 'in') checkValue(filter.value, `${path}.value`)
    else if (filter.values.length === 0 || filter.values.length > inValuesMax) {
      const code = filter.values.length === 0 ? 'noValue' : undefined
      add(`${path}.values`, `A list of values has 1 to ${inValuesMax}.`, code)
    } else for (const [k, value] of filter.values.entries()) checkValue(value, `${path}.values[${k}]`)
  }
}

function checkLabels(metric: Metric, fields: Fields, at: string, add: AddFault): void {
  if (metric.group_by.length > labelsMax) {
    add(`${at}.group_by`, `A metric has at most ${labelsMax} labels.`)
  }
  const seen = new Set<string>()
  for (const [index, name] of metric.group_by.entries()) {
    const path = `${at}.group_by[${index}]`
    const declared = fields.get(name)
    if (declared === undefined) add(path, 'There is no field with this name.', 'goneField')
    else if (declared.personal) add(path, 'A personal field is never a label.', 'personalLabel')
    else if (seen.has(name)) add(path, 'A field is a label once.')
    seen.add(name)
  }
}
