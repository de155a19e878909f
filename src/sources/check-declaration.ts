import { periods } from '../values/period.ts'
import { readFieldValue } from './field-value.ts'
import { isStorableText } from '../json/is-storable-text.ts'
import { TimeZone } from '../values/time-zone.ts'
import { aggregations, comparisons, type Field, fieldTypes, type Metric, type Shape } from './declaration.ts'
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

interface DeclarationFault {
  /** Such as `metrics[0].filters[1].value`. */
  field: string
  /** One sentence. */
  message: string
}

/**
 * Finds everything that is wrong with a declaration of the right form (its types are checked by the contract of the
 * route): names, types, and what the metrics do with the fields [fold.metric], [fold.once]. Empty when it may be
 * saved.
 */
export function checkDeclaration(shape: Shape, metrics: Metric[]): DeclarationFault[] {
  const faults = checkShape(shape)
  const fields = new Map(shape.fields.map((field) => [field.name, field]))
  const seen = new Set<string>()
  for (const [index, metric] of metrics.entries()) {
    const at = `metrics[${index}]`
    if (!knownMetrics.some(({ key }) => key === metric.metric)) {
      faults.push({ field: `${at}.metric`, message: 'There is no metric with this key.' })
    } else if (seen.has(metric.metric)) {
      faults.push({ field: `${at}.metric`, message: 'A source counts a metric at most once.' })
    }
    seen.add(metric.metric)
    faults.push(
      ...checkCounting(metric, fields, at),
      ...checkFilters(metric, fields, at),
      ...checkLabels(metric, fields, at),
    )
  }
  return faults
}

function checkShape(shape: Shape): DeclarationFault[] {
  const faults: DeclarationFault[] = []
  const { fields } = shape
  if (fields.length === 0) faults.push({ field: 'fields', message: 'A source has at least one field.' })
  if (fields.length > fieldsMax) {
    faults.push({ field: 'fields', message: `A source has at most ${fieldsMax} fields.` })
  }
  const seen = new Set<string>()
  for (const [index, { name, type }] of fields.entries()) {
    const at = `fields[${index}]`
    const characters = [...name].length
    if (characters === 0 || characters > fieldNameCharactersMax) {
      faults.push({ field: `${at}.name`, message: `A name has 1 to ${fieldNameCharactersMax} characters.` })
    } else if (/\p{Cc}/u.test(name) || !isStorableText(name)) {
      faults.push({ field: `${at}.name`, message: 'A name has no control characters.' })
    } else if (seen.has(name)) {
      faults.push({ field: `${at}.name`, message: 'Two fields have the same name.' })
    }
    seen.add(name)
    if (!fieldTypes.includes(type)) {
      faults.push({ field: `${at}.type`, message: `A type is one of ${fieldTypes.join(', ')}.` })
    }
  }
  const eventTime = fields.find(({ name }) => name === shape.event_time)
  if (eventTime === undefined)
    faults.push({ field: 'event_time', message: 'There is no field with this name.' })
  else if (eventTime.type !== 'timestamp') {
    faults.push({ field: 'event_time', message: 'The event time is a timestamp field.' })
  }
  return faults
}

type Fields = Map<string, Field>

function checkCounting(metric: Metric, fields: Fields, at: string): DeclarationFault[] {
  const faults: DeclarationFault[] = []
  const { aggregation, field, times, period } = metric
  if (!aggregations.includes(aggregation)) {
    const message = `A metric counts by one of ${aggregations.join(', ')}.`
    return [{ field: `${at}.aggregation`, message }]
  }
  if (!periods.includes(period)) {
    faults.push({ field: `${at}.period`, message: `A period is one of ${periods.join(', ')}.` })
  }
  const isComputed = aggregation !== 'count' && aggregation !== 'count_distinct'
  const checkField = (name: string, path: string) => {
    const declared = fields.get(name)
    if (declared === undefined) faults.push({ field: path, message: 'There is no field with this name.' })
    else if (isComputed && declared.type !== 'number') {
      faults.push({ field: path, message: `Only a number has a ${aggregation}.` })
    } else if (isComputed && declared.personal) {
      faults.push({ field: path, message: 'A personal field can only be filtered on and counted.' })
    }
  }
  if (field !== undefined) checkField(field, `${at}.field`)
  else if (aggregation !== 'count') {
    faults.push({ field: `${at}.field`, message: 'Only count can do without a field.' })
  }
  if (times !== undefined) {
    if (aggregation === 'sum') checkField(times, `${at}.times`)
    else faults.push({ field: `${at}.times`, message: 'Only a sum has a second factor.' })
  }
  return faults
}

/** The zone says which instant a bare date is, not whether it is one. */
const anyTimeZone = new TimeZone('UTC')

function checkFilters(metric: Metric, fields: Fields, at: string): DeclarationFault[] {
  const faults: DeclarationFault[] = []
  if (metric.filters.length > filtersMax) {
    faults.push({ field: `${at}.filters`, message: `A metric has at most ${filtersMax} filters.` })
  }
  for (const [index, filter] of metric.filters.entries()) {
    const path = `${at}.filters[${index}]`
    const declared = fields.get(filter.field)
    if (declared === undefined) {
      faults.push({ field: `${path}.field`, message: 'There is no field with this name.' })
      continue
    }
    if (!comparisons.includes(filter.comparison)) {
      const message = `A comparison is one of ${comparisons.join(' ')}.`
      faults.push({ field: `${path}.comparison`, message })
      continue
    }
    const checkValue = (value: string, valuePath: string) => {
      // An empty text is a missing value, which nothing equals.
      const read = value === '' ? undefined : readFieldValue(declared.type, value, anyTimeZone)
      if (read === undefined || typeof read === 'string') {
        faults.push({ field: valuePath, message: `The value is no ${declared.type}.` })
      }
    }
    if (filter.comparison !== 'in') checkValue(filter.value, `${path}.value`)
    else if (filter.values.length === 0 || filter.values.length > inValuesMax) {
      faults.push({ field: `${path}.values`, message: `A list of values has 1 to ${inValuesMax}.` })
    } else for (const [k, value] of filter.values.entries()) checkValue(value, `${path}.values[${k}]`)
  }
  return faults
}

function checkLabels(metric: Metric, fields: Fields, at: string): DeclarationFault[] {
  const faults: DeclarationFault[] = []
  if (metric.group_by.length > labelsMax) {
    faults.push({ field: `${at}.group_by`, message: `A metric has at most ${labelsMax} labels.` })
  }
  const seen = new Set<string>()
  for (const [index, name] of metric.group_by.entries()) {
    const path = `${at}.group_by[${index}]`
    const declared = fields.get(name)
    if (declared === undefined) faults.push({ field: path, message: 'There is no field with this name.' })
    else if (declared.personal) {
      faults.push({ field: path, message: 'A personal field is never a label.' })
    } else if (seen.has(name)) faults.push({ field: path, message: 'A field is a label once.' })
    seen.add(name)
  }
  return faults
}
