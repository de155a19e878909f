import { addDecimals, formatDecimal, readDecimal } from '../formats/values/decimal.ts'
import { measured, openMetric, toDays, type Report } from './report.ts'
import { args, closed, defineTool, flag, orNull, text } from './tool.ts'

const value = orNull(
  text('Exact decimal; null where there is none, or values of several periods are not added.', 2_000),
)

const range = closed({
  from: text('First day read: the first of its period.'),
  to: text('The day after the last day read.'),
  narrowed: flag('Whether `from` was too far back, and was moved forward.'),
  value,
  finished: flag('Whether all of it has ended. The value of an unfinished one may still grow.'),
  restated: flag('Whether figures of it were delivered again after the first time.'),
})

function toRange(report: Report) {
  const { row_total: total, periods } = report
  return {
    ...toDays(report),
    value: total,
    finished: periods.every(({ finished }) => finished),
    restated: periods.some(({ restated }) => restated !== null),
  }
}

function subtract(value: string, before: string): string {
  const { digits, scale } = readDecimal(before)
  return formatDecimal(addDecimals(readDecimal(value), { digits: -digits, scale }))
}

export const comparePeriods = defineTool({
  name: 'compare_periods',
  title: 'Compare periods',
  description:
    'The value of a metric in two ranges of days, and the exact difference. Compare ranges of the same length, and say so if ' +
    'one of them is unfinished or restated.',
  input: closed({
    orgnr: args.orgnr,
    source_id: args.source_id,
    metric: args.metric,
    from: args.from,
    to: args.to,
    earlier_from: args.from,
    earlier_to: args.to,
    labels: args.labels,
    as_of: args.as_of,
  }),
  output: closed({ ...measured, range, earlier: range, difference: value }),
  run: async (call, given) => {
    const metric = await openMetric(call, given)
    const later = await metric.read(given)
    const before = await metric.read({ from: given.earlier_from, to: given.earlier_to })
    const [now, then] = [toRange(later), toRange(before)]
    return {
      ...metric.describe(later),
      complete: later.complete && before.complete,
      range: now,
      earlier: then,
      difference: now.value === null || then.value === null ? null : subtract(now.value, then.value),
    }
  },
})
