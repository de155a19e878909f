import { Type } from 'typebox'
import { invalidArgument } from '../platform/http/errors/errors.ts'
import { defaultDays, measured, openMetric, toDays, type Report } from './report.ts'
import { args, closed, day, defineTool, flag, orNull, text } from './tool.ts'

/** Values of one answer, and the bytes of its JSON. More is 400, which says how to ask for less. */
export const pointsMax = 400
export const answerBytesMax = 32_768

const value = orNull(text('Exact decimal; null where there is none.', 2_000))

function askForLess(found: string): Error {
  return invalidArgument(
    `That is ${found}, and an answer has at most ${pointsMax} values and ${answerBytesMax} bytes: choose a later from, an ` +
      'earlier to, longer periods with by, or leave out split_by.',
    'from',
  )
}

function toSeries({ series, other, left_out: leftOut }: Report) {
  const shown = series.map(({ key, values, row_total: total }) => ({
    label_value: key,
    others: 0,
    values,
    total,
  }))
  if (other !== null) {
    const { values, row_total: total, label_values: others } = other
    shown.push({ label_value: null, others, values, total })
  }
  return { series: shown, series_left_out: leftOut }
}

export const readMetric = defineTool({
  name: 'read_metric',
  title: 'Read a metric',
  description:
    'The values of a metric period by period, and in total where adding is right. Exact decimals as text. At most ' +
    `${pointsMax} values. Say with a value its unit, and whether its period is unfinished or restated.`,
  input: closed({
    orgnr: args.orgnr,
    source_id: args.source_id,
    metric: args.metric,
    by: args.by,
    from: Type.Optional(day(`First day. Unset: ${defaultDays} days before \`to\`.`)),
    to: Type.Optional(day('The day after the last day. Unset: tomorrow.')),
    labels: args.labels,
    split_by: Type.Optional(text('A label: one series for each of its values, the largest eight.', 100)),
    as_of: args.as_of,
  }),
  output: closed({
    ...measured,
    by: text('Length of the periods.'),
    from: text('First day read: the first of its period.'),
    to: text('The day after the last day read.'),
    narrowed: flag('Whether `from` was too far back, and was moved forward.'),
    total: value,
    periods: Type.Array(
      closed({
        start: text('First day.'),
        end: text('Last day.'),
        value,
        finished: flag('Whether it has ended. The value of an unfinished one may still grow.'),
        restated: flag('Whether its figures were delivered again after the first time.'),
      }),
      { description: 'The oldest first.' },
    ),
    series: Type.Array(
      closed({
        label_value: orNull(text('Value of the label, as data; empty: rows without it; null: all others.')),
        others: Type.Integer({ description: 'How many values of the label these others are.' }),
        values: Type.Array(value, { description: 'In the order of `periods`.' }),
        total: value,
      }),
      { description: 'With `split_by`.' },
    ),
    series_left_out: Type.Integer({ description: 'Values of the label that are in no series.' }),
  }),
  run: async (call, given) => {
    const metric = await openMetric(call, given, given.split_by)
    const report = await metric.read(given)
    const { periods, totals } = report
    const split = given.split_by === undefined ? { series: [], series_left_out: 0 } : toSeries(report)
    const points = periods.length * (1 + split.series.length)
    if (points > pointsMax) throw askForLess(`${points} values`)
    const answer = {
      ...metric.describe(report),
      by: report.grain,
      ...toDays(report),
      total: report.row_total,
      periods: periods.map(({ start, end, finished, restated }, place) => ({
        start,
        end,
        value: totals?.[place] ?? null,
        finished,
        restated: restated !== null,
      })),
      ...split,
    }
    const bytes = Buffer.byteLength(JSON.stringify(answer))
    if (bytes > answerBytesMax) throw askForLess(`${bytes} bytes`)
    return answer
  },
})
