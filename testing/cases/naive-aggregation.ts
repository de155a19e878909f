import { createHash } from 'node:crypto'
import type { Aggregation } from '../../src/engine/aggregations/aggregations.ts'
import type { Filter, Metric, Shape } from '../../src/engine/declarations/declaration.ts'
import type { Contribution, Touched } from '../../src/engine/parsing/aggregate/contribution.ts'

/**
 * Aggregating as one would write it from the readings, without a thought of speed and sharing nothing with the real
 * one: `JSON.parse`, Temporal, and every number as an integer of 10^-40. Gives what `aggregateDelivery` gives for
 * readable content, in the same order, refusals as texts.
 */
export function naiveAggregate(
  shape: Shape,
  metrics: Metric[],
  zone: string,
  salt: Buffer,
  content: string,
  receivedOn?: Temporal.PlainDate,
) {
  const rows = JSON.parse(content, (_key, value: unknown, context?: { source?: string }) => {
    return typeof value === 'number' || typeof value === 'boolean' ? { source: context!.source! } : value
  }) as Record<string, unknown>[]
  const types = new Map(shape.fields.map((field) => [field.name, field.type]))
  const personal = new Set(shape.fields.filter((field) => field.personal).map((field) => field.name))

  const refusals: string[] = []
  let rowsDateAlone = 0
  const farAhead: { row: number; day: string }[] = []
  const accepted: { values: Map<string, Value>; day: Temporal.PlainDate }[] = []
  for (const [index, row] of rows.entries()) {
    const values = new Map<string, Value>()
    let fault: string | undefined
    for (const { name, type } of shape.fields) {
      const given = Object.hasOwn(row, name) ? row[name] : undefined
      if (given === undefined || given === null || given === '') continue
      const isSource = typeof given === 'object' && Object.keys(given).join() === 'source'
      const text = isSource ? (given as { source: string }).source : given
      const value = typeof text === 'string' ? readValue(type, text, zone) : 'value_not_plain'
      if (typeof value === 'string') {
        fault = `${name} ${value}`
        break
      }
      values.set(name, value)
    }
    const event = values.get(shape.event_time)
    if (fault === undefined && event === undefined) fault = `${shape.event_time} event_time_missing`
    if (fault === undefined) {
      const seconds = Number(event!.number / one - (event!.number % one < 0n ? 1n : 0n))
      const day = Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
        .toZonedDateTimeISO(zone)
        .toPlainDate()
      if (day.year < 1 || day.year > 9999) fault = `${shape.event_time} event_time_out_of_range`
      else accepted.push({ values, day })
    }
    if (fault !== undefined) refusals.push(`${index + 1} ${fault}`)
    else {
      if ([...values.values()].some((value) => value.dateAlone)) rowsDateAlone++
      const { day } = accepted.at(-1)!
      const daysAhead = receivedOn?.until(day, { largestUnit: 'day' }).days ?? 0
      if (daysAhead > 366) farAhead.push({ row: index + 1, day: day.toString() })
    }
  }

  const contributions: Contribution[] = []
  const touched: Touched[] = []
  const missing: { metric: string; field: string; rows: number }[] = []
  for (const metric of metrics) {
    const getPeriod = ({ day }: { day: Temporal.PlainDate }) => {
      if (metric.period === 'month') return day.with({ day: 1 }).toString()
      return metric.period === 'day' ? day.toString() : day.subtract({ days: day.dayOfWeek - 1 }).toString()
    }
    for (const period of new Set(accepted.map(getPeriod))) {
      touched.push({ metric: metric.metric, periodStart: period })
    }
    const isComputed = !['count', 'count_distinct'].includes(metric.aggregation)
    const cells = new Map<string, { period: string; labels: string; rows: Map<string, Value>[] }>()
    const factors = [metric.field, metric.times].filter((name) => name !== undefined)
    const lackingRows = new Map<string, number>()
    for (const row of accepted) {
      if (!metric.filters.every((filter) => passes(filter, types, row.values, zone))) continue
      const lacking = factors.find(
        (name) =>
          !row.values.has(name) || (isComputed && (types.get(name) !== 'number' || personal.has(name))),
      )
      if (lacking !== undefined) {
        lackingRows.set(lacking, (lackingRows.get(lacking) ?? 0) + 1)
        continue
      }
      const labels = Object.fromEntries(
        metric.group_by
          .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
          .map((name) => [name, personal.has(name) ? '' : (row.values.get(name)?.text ?? '')]),
      )
      const period = getPeriod(row)
      const cell = JSON.stringify([period, labels])
      if (!cells.has(cell)) cells.set(cell, { period, labels: JSON.stringify(labels), rows: [] })
      cells.get(cell)!.rows.push(row.values)
    }
    for (const field of new Set(factors)) {
      const rows = lackingRows.get(field)
      if (rows !== undefined) missing.push({ metric: metric.metric, field, rows })
    }
    for (const { period, labels, rows } of cells.values()) {
      contributions.push({
        metric: metric.metric,
        periodStart: period,
        labels,
        rows: rows.length,
        ...valueByAggregation[metric.aggregation](toCounted(metric, shape, rows, salt)),
      })
    }
  }
  return {
    state: 'parsed',
    rowsAccepted: accepted.length,
    rowsRefused: refusals.length,
    rowsDateAlone,
    refusals: refusals.slice(0, 100),
    remarks: {
      missing_values: missing,
      rows_far_ahead: farAhead.length,
      far_ahead: farAhead.slice(0, 10),
    },
    contributions,
    touched,
  }
}

const one = 10n ** 40n

interface Value {
  text: string
  /** A number, the seconds of an instant, or a bool as 0 or 1; in units of 10^-40. */
  number: bigint
  type: string
  dateAlone: boolean
}

interface Counted {
  rows: Map<string, Value>[]
  /** Of the counted field; empty if rows are counted. */
  values: Value[]
  numbers: bigint[]
  /** Of the second factor. */
  factors: bigint[] | undefined
  /** Event times in the order of rows. */
  times: bigint[]
  salt: Buffer
}

const valueByAggregation: Record<
  Aggregation,
  (counted: Counted) => { value: string; eventAt?: string; distinct?: Buffer }
> = {
  count: ({ rows }) => ({ value: String(rows.length) }),
  sum: ({ numbers, factors }) => {
    if (factors === undefined) return { value: show(numbers.reduce((a, b) => a + b)) }
    return {
      value: show(numbers.map((number, index) => number * factors[index]!).reduce((a, b) => a + b) / one),
    }
  },
  min: ({ numbers }) => ({ value: show(numbers.reduce((a, b) => (b < a ? b : a))) }),
  max: ({ numbers }) => ({ value: show(numbers.reduce((a, b) => (b > a ? b : a))) }),
  last: ({ numbers, times }) => {
    let last = 0
    for (const [index, time] of times.entries()) if (time >= times[last]!) last = index
    return { value: show(numbers[last]!), eventAt: show(times[last]!) }
  },
  count_distinct: ({ values, salt }) => {
    const texts = [...new Set(values.map((value) => `${value.type}:${value.text}`))]
    const hashes = texts.map((text) =>
      createHash('sha256').update(salt).update(text).digest().subarray(0, 16),
    )
    return { value: String(texts.length), distinct: Buffer.concat(hashes) }
  },
}

function toCounted(
  { field, times }: Metric,
  shape: Shape,
  rows: Map<string, Value>[],
  salt: Buffer,
): Counted {
  const values = field === undefined ? [] : rows.map((row) => row.get(field)!)
  return {
    rows,
    values,
    numbers: values.map((value) => value.number),
    factors: times === undefined ? undefined : rows.map((row) => row.get(times)!.number),
    times: rows.map((row) => row.get(shape.event_time)!.number),
    salt,
  }
}

function passes(filter: Filter, types: Map<string, string>, row: Map<string, Value>, zone: string): boolean {
  const value = row.get(filter.field)
  const type = types.get(filter.field)
  const texts = filter.comparison === 'in' ? filter.values : [filter.value]
  const others = texts.map((text) => (type === undefined ? '' : readValue(type, text, zone)))
  if (value === undefined || others.some((other) => typeof other === 'string'))
    return filter.comparison === '≠'
  return others.some((other) => {
    if (typeof other === 'string') return false
    const byText = Buffer.compare(Buffer.from(value.text), Buffer.from(other.text))
    const order =
      type === 'text' ? byText : value.number < other.number ? -1 : value.number > other.number ? 1 : 0
    const results = { '=': order === 0, in: order === 0, '≠': order !== 0, '<': order < 0, '≤': order <= 0 }
    return { ...results, '>': order > 0, '≥': order >= 0 }[filter.comparison]
  })
}

function show(number: bigint): string {
  const digits = String(number < 0n ? -number : number).padStart(41, '0')
  const shown = `${digits.slice(0, -40)}.${digits.slice(-40)}`.replace(/\.?0+$/, '')
  return number < 0n ? `-${shown}` : shown
}

function readValue(type: string, text: string, zone: string): Value | string {
  if ([...text].length > 10_000) return 'text_too_long'
  if (text.includes('\0') || !text.isWellFormed()) return 'text_not_storable'
  const value = { text, number: 0n, type, dateAlone: false }
  if (type === 'text') return value
  if (type === 'bool') {
    const lower = text.toLowerCase()
    if (lower !== 'true' && lower !== 'false') return 'bool_malformed'
    return { ...value, text: lower, number: lower === 'true' ? one : 0n }
  }
  if (type === 'number') {
    const parts = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text)
    if (parts === null || `${parts[2]}${parts[3]}` === '') return 'number_malformed'
    const exponent = 40 + Number(parts[4] ?? 0) - parts[3]!.length
    const digits = BigInt(parts[2]! + parts[3]!)
    if (exponent < 0 ? digits % 10n ** BigInt(-exponent) !== 0n : exponent > 90 && digits > 0n)
      return 'number_too_long'
    const scaled =
      exponent < 0 ? digits / 10n ** BigInt(-exponent) : digits * 10n ** BigInt(Math.min(exponent, 90))
    const number = parts[1] === '-' ? -scaled : scaled
    const shown = show(number).replace('-', '').replace(/^0\./, '.')
    if (shown.replace('.', '').length > 38 || (shown.split('.')[1] ?? '').length > 18)
      return 'number_too_long'
    return { ...value, text: show(number), number }
  }
  const date = /^\d{4}-\d\d-\d\d/.exec(text)?.[0]
  const time = text.slice(10)
  if (date === undefined || !/^([ Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?)?$/.test(time)) {
    return 'timestamp_malformed'
  }
  try {
    Temporal.PlainDate.from(date)
  } catch {
    return 'timestamp_no_such_day'
  }
  if (time === '') {
    const start = Temporal.PlainDate.from(date).toZonedDateTime(zone)
    return { ...value, ...instant(start.toInstant(), ''), dateAlone: true }
  }
  if (!/([Zz]|[+-]\d\d:\d\d)$/.test(time)) return 'timestamp_no_offset'
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? ''
  const whole = text.replace(/\.\d+/, '')
  const isLeap = whole.slice(17, 19) === '60'
  try {
    const before = Temporal.Instant.from(isLeap ? whole.replace(/:60/, ':59') : whole)
    if (!isLeap) return { ...value, ...instant(before, fraction) }
    if (!before.toString().includes('T23:59:59Z')) return 'timestamp_no_such_time'
    return { ...value, ...instant(before.add({ seconds: 1 }), fraction) }
  } catch {
    return 'timestamp_no_such_time'
  }
}

function instant(whole: Temporal.Instant, fraction: string) {
  const decimals = fraction.replace(/0+$/, '')
  const iso = whole.toString()
  return {
    text: decimals === '' ? iso : iso.replace('Z', `.${decimals}Z`),
    number: BigInt(whole.epochMilliseconds / 1000) * one + BigInt(decimals.padEnd(40, '0')),
  }
}
