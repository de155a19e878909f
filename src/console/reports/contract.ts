import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  Day,
  Decimal,
  etagHeader,
  Flag,
  ListPage,
  OrNull,
  PageQuery,
  Text,
  unchanged,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract, type ErrorUse } from '../../platform/http/contract.ts'
import { windowDaysMax } from '../../platform/reads/read-window.ts'
import { NamedMember } from '../../company/sources/source-schemas.ts'
import { combinations } from '../../engine/aggregations/aggregation-definition.ts'
import { aggregationNames } from '../../engine/aggregations/aggregations.ts'
import { periods } from '../../formats/values/period.ts'
import { labelValuesMax, seriesMax } from './read-values.ts'
import { restatedRecentDays } from './report-card.ts'

/** Null differs from 0: no delivery covers it. */
export function Value(description: string) {
  return OrNull(Decimal(`${description} An exact decimal; null if nothing was delivered for it.`))
}

export function LabelValues(description: string) {
  return Type.Record(Type.String(), Type.Array(Type.String()), { description })
}

const metricFields = {
  source_id: Uuid('The source.'),
  source_name: Text('Its name.'),
  metric: Text('The metric’s key.'),
  name: Text('Its name.'),
  unit: Text('Its unit, such as `SEK` or `count`.'),
  aggregation: Type.Enum(aggregationNames, { description: 'How rows are aggregated.' }),
  combines: OrNull(
    Type.Enum([...combinations], {
      description:
        'How values of several days or labels combine. Null: they do not, since distinct counts and last values of two periods ' +
        'or labels cannot be added.',
    }),
  ),
  period: Type.Enum([...periods], { description: 'The period of the metric’s samples.' }),
  grain: Type.Enum([...periods], { description: 'The periods of this answer.' }),
}

const today = Day('The current day in the company’s time zone.')
const timeZone = Text('The company’s time zone, an IANA name.')
const valueOfPeriod = { period_start: Day('First day of the period.'), value: Value('All labels together.') }
const PeriodValue = Type.Object(valueOfPeriod, { title: 'PeriodValue' })
const finished = Flag('Whether its last day has passed.')
const restated = OrNull(
  Type.Enum(['grew', 'corrected'], {
    description:
      'Whether any of it was stated more than once. `grew`: while it ran, or once by the statement that completed it; ' +
      '`corrected`: its total differs from the one that the first statement after its end gave.',
  }),
)

const reportCardSchema = Type.Object(
  {
    ...metricFields,
    source_state: Type.Enum(['active', 'paused'], { description: 'A paused source accepts no deliveries.' }),
    paused_at: OrNull(DateTime('Since when it is paused.')),
    paused_by: NamedMember('Who paused it; null while it is active, and if the operator did.'),
    total: Flag('Whether the labels combine to one value. If not, every value here is null.'),
    latest: OrNull(
      Type.Object(
        { ...valueOfPeriod, restated },
        { description: 'The last finished period with a value; null if there is none.' },
      ),
    ),
    previous: OrNull(PeriodValue),
    year_before: OrNull(PeriodValue),
    unfinished: Type.Object(
      {
        ...valueOfPeriod,
        year_before: OrNull(
          Type.Object(
            { ...valueOfPeriod, to: Day('The last of these days.') },
            {
              description:
                'The same days a year before; null if there are none, or the metric is not counted by day.',
            },
          ),
        ),
      },
      { description: 'The current period.' },
    ),
    sparkline: Type.Array(Type.Object({ ...valueOfPeriod, finished }), {
      description: 'The last 13 periods, the oldest first, including the current one.',
    }),
    complete: Flag(
      'False: there are more samples than are counted, and the oldest of these periods have no value.',
    ),
    changed_since_look: Flag(
      'Whether one of `restated_periods` was corrected since you last looked at the report.',
    ),
    restated_periods: Type.Array(
      Type.Object({
        period_start: Day('First day of the period.'),
        restated_at: DateTime('When its last statement was received.'),
      }),
      {
        description: `Finished periods of the sparkline corrected in the last ${restatedRecentDays} days.`,
      },
    ),
    freshness: Type.Object(
      {
        last_received_at: OrNull(DateTime('When the source’s last production delivery was received.')),
        usual_seconds: OrNull(
          Whole(
            'The usual time between deliveries: the median of the gaps of at least a minute among the last 20. Null if there are ' +
              'fewer than three.',
          ),
        ),
        late: Flag('Whether three times that has passed without a delivery. Never while it is paused.'),
      },
      { description: 'Whether the source delivers as usual.' },
    ),
  },
  { title: 'ReportCard' },
)

const noSuchMetric: ErrorUse = {
  code: 'not_found',
  when: 'The member has no such company, the company no such source, or the source no such metric.',
}

export const listReportsContract = sessionContract({
  operationId: 'listReports',
  summary: 'List the company’s reports',
  description:
    'One for each metric of each source, source by source: its last finished period with the previous one and the one a year ' +
    'before, its last 13 periods, and whether the source delivers as usual. Production samples only. `limit` counts sources. ' +
    'For every member.',
  tags: ['Reports'],
  params: CompanyParams,
  query: Type.Object({
    ...PageQuery.properties,
    limit: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,3}$', description: 'Sources per page, 1 to 100; 50 by default.' }),
    ),
  }),
  responses: {
    200: {
      description: 'The reports.',
      headers: etagHeader,
      body: ListPage('reports', reportCardSchema, 'ReportList', { today, time_zone: timeZone }),
    },
    304: unchanged,
  },
  errors: [
    { code: 'invalid_argument', when: '`limit` is not from 1 to 100, or `cursor` is not from an answer.' },
    { code: 'not_found', when: 'The member has no such company.' },
  ],
})

export const MetricParams = Type.Object({
  company_id: Uuid('The company.'),
  source_id: Uuid('The source.'),
  metric: Type.String({ maxLength: 100, description: 'The metric’s key.' }),
})

export const AsOf = Type.Optional(
  Type.String({ maxLength: 100, description: 'As known at this instant, RFC 3339 with an offset.' }),
)

export const reportQuery = {
  grain: Type.Optional(
    Type.Enum([...periods], { description: 'One of the metric’s `grains`; its own period by default.' }),
  ),
  from: Type.Optional(Day('First day; by default as far back as the window reaches.')),
  to: Type.Optional(Day('The day after the last; tomorrow by default.')),
  by: Type.Optional(
    Type.String({ maxLength: 100, description: 'A label: one series for each of its values.' }),
  ),
  compare: Type.Optional(Type.Enum(['year'], { description: 'With the same periods a year before.' })),
  as_of: AsOf,
}

const seriesFields = {
  values: Type.Array(Value('The value of the period at the same place of `periods`.')),
  row_total: Value('All periods together, as `combines` says; null if they do not combine.'),
}
/** Sums over two years count only the periods in which both have a total. */
const comparedFields = {
  row_total: Value('The periods of the year before together that have a total in both years.'),
  compared_total: Value('The same periods of this report together.'),
}
const seriesYearBefore = OrNull(
  Type.Object({ values: seriesFields.values, ...comparedFields }, { description: 'With `compare=year`.' }),
)
const totalFields = { totals: OrNull(seriesFields.values), row_total: seriesFields.row_total }

const reportSchema = Type.Object(
  {
    ...metricFields,
    grains: Type.Array(Type.Enum([...periods]), {
      description: 'What `grain` may be: longer periods than the metric’s own only if days combine.',
    }),
    today,
    time_zone: timeZone,
    window: Type.Object(
      {
        from: Day('First day read: the first of its period.'),
        to: Day('The day after the last day read, which ends its period.'),
        max_days: Whole('The widest window, before it is widened to whole periods.'),
        narrowed: Flag('Whether `from` was further back than that, and was moved forward.'),
      },
      { description: 'The days that were read.' },
    ),
    as_of: OrNull(DateTime('As known at this instant; null: as known now.')),
    by: OrNull(Text('The label that the series are by.')),
    where: LabelValues('The values of the filter, label by label.'),
    labels: Type.Array(
      Type.Object({
        name: Text('The label.'),
        values: Type.Array(Type.String(), {
          description: `Its values in these periods, before any filter; at most ${labelValuesMax}, in code point order. The empty text means rows without it.`,
        }),
        more: Flag('Whether there are more of them.'),
      }),
      { description: 'What the metric is grouped by.' },
    ),
    choose: Type.Array(Type.String(), {
      description:
        'If values do not combine: labels that need one value, given with `where.<label>`, before there is a series. Empty ' +
        'otherwise.',
    }),
    periods: Type.Array(
      Type.Object({
        start: Day('Its first day.'),
        end: Day('Its last day.'),
        finished,
        known: Flag('Whether anything was delivered for it, before any filter.'),
        known_to: OrNull(Day('The last day of it that a delivery covers; null if none does.')),
        restated,
        restated_at: OrNull(DateTime('When the statement was received that restated it last.')),
        was: Value('If it is restated: the total before that.'),
      }),
      { description: 'The oldest first.' },
    ),
    series: Type.Array(
      Type.Object({
        key: OrNull(Text('The label’s value; null without `by`.')),
        ...seriesFields,
        year_before: seriesYearBefore,
      }),
      {
        maxItems: seriesMax,
        description: `At most ${seriesMax}, the largest first, by the sum of their absolute values. With \`compare=year\` those that only the year before has come last.`,
      },
    ),
    other: OrNull(
      Type.Object(
        {
          ...seriesFields,
          year_before: seriesYearBefore,
          label_values: Whole('How many values of the label these are.'),
        },
        { description: 'All others together, if they may be added.' },
      ),
    ),
    left_out: Whole('How many values of the label are in no series.'),
    ...totalFields,
    year_before: OrNull(
      Type.Object(
        {
          starts: Type.Array(
            OrNull(
              Day(
                'The period a year before; null if there is none: for a leap day, week 53, or an unfinished period of a metric ' +
                  'that is not counted by day.',
              ),
            ),
          ),
          ends: Type.Array(
            OrNull(
              Day(
                'The last day that is compared with: of an unfinished period only as many days as have passed.',
              ),
            ),
          ),
          compared: OrNull(
            Whole('The periods with a total in both years, which sums over both count; null without totals.'),
          ),
          totals: OrNull(seriesFields.values),
          ...comparedFields,
        },
        { description: 'With `compare=year`: the same day of the month, week number or month.' },
      ),
    ),
    vintage_today: OrNull(Type.Object(totalFields, { description: 'With `as_of`: as known today.' })),
    complete: Flag(
      'False: there are more samples in the window than are counted. `window.from` was moved forward, or the oldest ' +
        'periods of `year_before` have no total.',
    ),
  },
  { title: 'MetricReport' },
)

export const reportErrors: ErrorUse[] = [
  {
    code: 'invalid_argument',
    when:
      '`grain` is not one of the metric’s `grains`, `from` or `to` is not a day, `from` is not before `to`, `as_of` is not an ' +
      'instant, or `by` or `where.<label>` does not name a label of the metric.',
  },
  noSuchMetric,
]

export const whereNote =
  'Filter with `where.<label>`, such as `where.country=SE`, for any number of labels; given twice, either value counts.'

export const readMetricReportContract = sessionContract({
  operationId: 'readMetricReport',
  summary: 'Read the report of a metric',
  description:
    'Period by period, in total and by a label, with a year before and as known at an instant. Every value is exact. ' +
    `Production samples of at most ${windowDaysMax} days, widened to whole periods. ${whereNote}\n\n` +
    'Sums and counts are added, minima and maxima combine to the least and the greatest, and distinct counts and last values ' +
    'are never combined. For every member.',
  tags: ['Reports'],
  params: MetricParams,
  query: Type.Object(reportQuery),
  responses: {
    200: { description: 'The report.', headers: etagHeader, body: reportSchema },
    304: unchanged,
  },
  errors: reportErrors,
})
