import { Type } from 'typebox'
import { CompanyParams, DateTime, NextCursor, OrNull, PageQuery, Uuid } from '../http/console-schemas.ts'
import { contract, type ErrorUse } from '../http/contract.ts'
import { windowDaysMax } from '../samples/read-window.ts'
import { NamedMember } from '../sources/contract.ts'
import { aggregations } from '../sources/declaration.ts'
import { periods } from '../values/period.ts'
import { labelValuesMax, seriesMax } from './read-values.ts'
import { restatedRecentDays } from './report-card.ts'
import { traceCellsMax } from './trace-value.ts'

function Day(description: string) {
  return Type.String({ format: 'date', description })
}

function Decimal(description: string) {
  return OrNull(
    Type.String({
      pattern: '^-?[0-9]+([.][0-9]+)?$',
      description: `${description} An exact decimal; null: nothing was said, which is not 0.`,
    }),
  )
}

const metricFields = {
  source_id: Uuid('The source.'),
  source_name: Type.String({ description: 'Its name.' }),
  metric: Type.String({ description: 'The metric’s key.' }),
  name: Type.String({ description: 'Its name.' }),
  unit: Type.String({ description: 'What it is counted in, such as `SEK` or `count`.' }),
  aggregation: Type.Enum([...aggregations], { description: 'How rows are counted.' }),
  combines: OrNull(
    Type.Enum(['sum', 'min', 'max'], {
      description:
        'How values of several days or labels come to one. Null: they do not, since different values and last values of two ' +
        'periods or labels are never added.',
    }),
  ),
  period: Type.Enum([...periods], { description: 'The period that samples of the metric are of.' }),
  grain: Type.Enum([...periods], { description: 'The periods of this answer.' }),
}

const valueOfPeriod = {
  period_start: Day('First day of the period.'),
  value: Decimal('All labels together.'),
}
const PeriodValue = Type.Object(valueOfPeriod, { title: 'PeriodValue' })

const reportCardSchema = Type.Object(
  {
    ...metricFields,
    source_state: Type.Enum(['active', 'paused'], { description: 'A paused source takes no deliveries.' }),
    paused_at: OrNull(DateTime('Since when it is paused.')),
    paused_by: NamedMember('Who paused it; null while it is active, and where the operator did.'),
    total: Type.Boolean({
      description:
        'Whether the labels come to one value. False: every value here is null, and there is none.',
    }),
    latest: OrNull(
      Type.Object(
        {
          ...valueOfPeriod,
          restated: Type.Boolean({ description: 'Whether any of it was stated more than once.' }),
        },
        { description: 'The last finished period of which something was said; null where there is none.' },
      ),
    ),
    previous: OrNull(PeriodValue),
    year_before: OrNull(PeriodValue),
    unfinished: PeriodValue,
    sparkline: Type.Array(
      Type.Object({
        ...valueOfPeriod,
        finished: Type.Boolean({ description: 'Whether its last day has passed.' }),
      }),
      { description: 'The last 13 periods, the oldest first, with the one that is going on.' },
    ),
    complete: Type.Boolean({
      description:
        'False: there are more samples than are counted, and the oldest of these periods have no value.',
    }),
    restated_periods: Type.Array(
      Type.Object({
        period_start: Day('First day of the period.'),
        restated_at: DateTime('When the last statement of it was received.'),
      }),
      {
        description: `Finished periods of the sparkline that were restated in the last ${restatedRecentDays} days.`,
      },
    ),
    freshness: Type.Object(
      {
        last_received_at: OrNull(DateTime('When the source’s last production delivery was received.')),
        usual_seconds: OrNull(
          Type.Integer({
            description:
              'The usual time between two sendings: the median of the gaps of at least a minute among the last 20 ' +
              'deliveries. Null where there are fewer than three.',
          }),
        ),
        late: Type.Boolean({
          description: 'Whether three times that has passed without one. Never while it is paused.',
        }),
      },
      { description: 'When the source delivers, by its own rhythm.' },
    ),
  },
  { title: 'ReportCard' },
)

const etagHeader = {
  ETag: {
    description: 'Send it as `If-None-Match` to be spared an unchanged answer.',
    schema: Type.String(),
  },
}
const unchanged = {
  description: 'Nothing has changed since the answer whose tag was sent as `If-None-Match`.',
}

const noSuchCompany: ErrorUse = {
  code: 'not_found',
  when: 'There is no such company, or the caller is no member of it.',
}
const noSuchMetric: ErrorUse = {
  code: 'not_found',
  when: 'The company has no such source, the source does not count such a metric, or the caller is no member of the company.',
}

export const listReportsContract = contract({
  api: 'console',
  operationId: 'listReports',
  summary: 'List the company’s reports',
  description:
    'One for each metric of each source, source by source: its last finished period beside the one before and the one a ' +
    'year before, its last 13 periods, and whether the source delivers as usual. Production samples alone. A page is of ' +
    'so many sources. For every member.',
  tags: ['Reports'],
  guard: 'session',
  params: CompanyParams,
  query: Type.Object({
    ...PageQuery.properties,
    limit: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,3}$', description: 'Sources a page, 1 to 100; 50 unless said.' }),
    ),
  }),
  responses: {
    200: {
      description: 'The reports.',
      headers: etagHeader,
      body: Type.Object(
        {
          reports: Type.Array(reportCardSchema),
          today: Day('The day it is in the company’s time zone.'),
          time_zone: Type.String({ description: 'The company’s time zone, an IANA name.' }),
          next_cursor: NextCursor,
        },
        { title: 'ReportList' },
      ),
    },
    304: unchanged,
  },
  errors: [
    { code: 'invalid_argument', when: '`limit` is not from 1 to 100, or `cursor` is none of an answer.' },
    noSuchCompany,
  ],
})

const MetricParams = Type.Object({
  company_id: Uuid('The company.'),
  source_id: Uuid('The source.'),
  metric: Type.String({ maxLength: 100, description: 'The metric’s key.' }),
})

const reportQuery = {
  grain: Type.Optional(
    Type.Enum([...periods], {
      description:
        'The periods to read: those of the metric unless said, or longer ones where `grains` has them.',
    }),
  ),
  from: Type.Optional(Day('First day; unset: as far back as the window reaches.')),
  to: Type.Optional(Day('The day after the last; unset: tomorrow.')),
  by: Type.Optional(
    Type.String({ maxLength: 100, description: 'A label: one series for each of its values.' }),
  ),
  compare: Type.Optional(Type.Enum(['year'], { description: 'Beside the same periods a year before.' })),
  as_of: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'As it was known at this instant, RFC 3339 with an offset.',
    }),
  ),
}

const valuesField = Type.Array(Decimal('The value of the period at the same place of `periods`.'))
const rowTotalField = Decimal('All periods together, as `combines` says; null too where they do not.')
const seriesFields = { values: valuesField, row_total: rowTotalField }

const reportSchema = Type.Object(
  {
    ...metricFields,
    grains: Type.Array(Type.Enum([...periods]), {
      description:
        'What `grain` may be: longer periods than the metric’s own only where days come to one value.',
    }),
    today: Day('The day it is in the company’s time zone.'),
    time_zone: Type.String({ description: 'The company’s time zone, an IANA name.' }),
    window: Type.Object(
      {
        from: Day('First day read: the first of its period.'),
        to: Day('The day after the last day read, which ends its period.'),
        max_days: Type.Integer({ description: 'The widest window, before it is widened to whole periods.' }),
        narrowed: Type.Boolean({
          description: 'Whether `from` was further back than that, and was moved forward.',
        }),
      },
      { description: 'The days that were read.' },
    ),
    as_of: OrNull(DateTime('As it was known then; null: as it is known now.')),
    by: OrNull(Type.String({ description: 'The label that the series are by.' })),
    where: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'The values that were asked for, label by label.',
    }),
    labels: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The label.' }),
        values: Type.Array(Type.String(), {
          description: `Its values in these periods, whatever was asked for; at most ${labelValuesMax}, in code point order. The empty text stands for rows without it.`,
        }),
        more: Type.Boolean({ description: 'Whether there are more of them.' }),
      }),
      { description: 'What the metric is grouped by.' },
    ),
    choose: Type.Array(Type.String(), {
      description:
        'Where values are never added: labels of which one value must be chosen, with `where.<label>`, before there is a ' +
        'series. Empty otherwise.',
    }),
    periods: Type.Array(
      Type.Object({
        start: Day('Its first day.'),
        end: Day('Its last day.'),
        finished: Type.Boolean({ description: 'Whether its last day has passed.' }),
        known: Type.Boolean({
          description: 'Whether something had been said of it, for whatever labels were asked.',
        }),
        known_to: OrNull(Day('The last day of it of which something had been said; null where nothing had.')),
        restated: Type.Boolean({ description: 'Whether any of it was stated more than once.' }),
        restated_at: OrNull(DateTime('When the statement was received that restated it last.')),
        was: Decimal('Where it is restated: the total just before.'),
      }),
      { description: 'The oldest first.' },
    ),
    series: Type.Array(
      Type.Object({
        key: OrNull(Type.String({ description: 'The label’s value; null without `by`.' })),
        ...seriesFields,
      }),
      {
        maxItems: seriesMax,
        description: `At most ${seriesMax}, the largest first, by the sum of their absolute values.`,
      },
    ),
    other: OrNull(
      Type.Object(
        {
          ...seriesFields,
          label_values: Type.Integer({ description: 'How many values of the label these are.' }),
        },
        { description: 'All others together, where they may be added.' },
      ),
    ),
    left_out: Type.Integer({ description: 'How many values of the label are in no series.' }),
    totals: OrNull(valuesField),
    row_total: rowTotalField,
    year_before: OrNull(
      Type.Object(
        {
          starts: Type.Array(
            OrNull(Day('The period a year before; null where there is none: a leap day, or week 53.')),
          ),
          totals: OrNull(valuesField),
          row_total: rowTotalField,
        },
        { description: 'With `compare=year`: the same day of the month, week number or month.' },
      ),
    ),
    vintage_today: OrNull(
      Type.Object(
        { totals: OrNull(valuesField), row_total: rowTotalField },
        { description: 'With `as_of`: what is known today.' },
      ),
    ),
    complete: Type.Boolean({
      description:
        'False: there are more samples in the window than are counted. `window.from` was moved forward, or the oldest ' +
        'periods of `year_before` have no total.',
    }),
  },
  { title: 'MetricReport' },
)

const reportErrors: ErrorUse[] = [
  {
    code: 'invalid_argument',
    when:
      '`grain` is none of the metric’s `grains`, `from` or `to` is no day, `from` is not before `to`, `as_of` is no ' +
      'instant, or `by` or `where.<label>` names no label of the metric.',
  },
  noSuchMetric,
]

const whereNote =
  'Filter with `where.<label>`, such as `where.country=SE`, for any number of labels; said twice, either value counts.'

export const readMetricReportContract = contract({
  api: 'console',
  operationId: 'readMetricReport',
  summary: 'Read the report of a metric',
  description:
    'Period by period, in all and by a label, beside a year before and as it was known at an instant. Every value is ' +
    `exact. Production samples of at most ${windowDaysMax} days, widened to whole periods. ${whereNote}\n\n` +
    'Sums and counts add; least and greatest values come to the least and the greatest; different values and last values ' +
    'are never put together. For every member.',
  tags: ['Reports'],
  guard: 'session',
  params: MetricParams,
  query: Type.Object(reportQuery),
  responses: {
    200: { description: 'The report.', headers: etagHeader, body: reportSchema },
    304: unchanged,
  },
  errors: reportErrors,
})

export const downloadReportContract = contract({
  api: 'console',
  operationId: 'downloadReport',
  summary: 'Download the report of a metric as CSV',
  description:
    'The same values, with their exact digits: one line a period, the oldest first, UTF-8 with a byte order mark. Nothing ' +
    'said is an empty cell. Its name ends in `part` where it lacks values: `left_out` of the report is not 0, or `complete` ' +
    `is false. ${whereNote} For every member.`,
  tags: ['Reports'],
  guard: 'session',
  params: MetricParams,
  query: Type.Object({
    ...reportQuery,
    language: Type.Optional(
      Type.Enum(['en', 'sv'], {
        description:
          'Of the first line, and how it is written: `en` (`,` and a point) unless said, or `sv` (`;` and `,`).',
      }),
    ),
  }),
  responses: {
    200: { description: 'The file.', mediaType: 'text/csv', body: Type.String() },
  },
  errors: reportErrors,
})

const tracedDeliverySchema = Type.Object(
  {
    artifact_id: Uuid('The delivery.'),
    received_at: DateTime('When it was received.'),
    shape_version: Type.Integer({ description: 'The version that it is parsed under.' }),
    value: Decimal('What its own rows come to.'),
    rows: Type.Integer({ description: 'Its rows behind that.' }),
    rows_refused: Type.Integer({ description: 'Rows of the whole delivery that were refused.' }),
    covers: Type.Object(
      {
        from: Day('First day.'),
        to: Day('Last day.'),
      },
      { description: 'The days of the period that it says something of.' },
    ),
    counts_now: Decimal('What of it counts now; null too where nothing does.'),
    counts_then: Decimal('What of it counted at `as_of`; null too where nothing did, and without `as_of`.'),
    received_then: OrNull(
      Type.Boolean({ description: 'Whether it had been received at `as_of`; null without `as_of`.' }),
    ),
    added: OrNull(
      Type.Integer({
        description:
          'For a distinct count of events: how many values no earlier delivery had. Null for everything else.',
      }),
    ),
    event_at: OrNull(DateTime('For a last value: its event time, in UTC. Null for everything else.')),
    superseded: Type.Boolean({ description: 'Whether later statements took the place of all of it.' }),
    superseded_by: Type.Array(Uuid('A delivery.'), {
      description: 'The deliveries that count now where this one does not; of some of it, or of all.',
    }),
  },
  { title: 'TracedReportDelivery' },
)

export const traceReportContract = contract({
  api: 'console',
  operationId: 'traceReport',
  summary: 'Trace a value of a report to its deliveries',
  description:
    'Every delivery that ever said something of one period, the latest first, with what each gave, and what of it counted ' +
    'at `as_of` and counts now. Name labels with `label.<name>`, such as `label.country=SE`; said twice, either value ' +
    'counts. A label that is not named stands for all its values, which different values and last values do not allow. ' +
    '`not.<name>`, such as `not.country=SE`, leaves a value out: with each series of a report left out, `other` is traced. ' +
    'For every member.',
  tags: ['Reports'],
  guard: 'session',
  params: Type.Object({ company_id: Uuid('The company.'), source_id: Uuid('The source.') }),
  query: Type.Object({
    ...PageQuery.properties,
    metric: Type.String({ maxLength: 100, description: 'The metric’s key.' }),
    period_start: Day('First day of the period.'),
    grain: Type.Optional(
      Type.Enum([...periods], { description: 'Which period: one of the metric’s own unless said.' }),
    ),
    as_of: reportQuery.as_of,
  }),
  responses: {
    200: {
      description: 'The deliveries behind the value.',
      body: Type.Object(
        {
          source_id: Uuid('The source.'),
          metric: Type.String({ description: 'The metric’s key.' }),
          grain: Type.Enum([...periods], { description: 'Which period.' }),
          period_start: Day('First day of the period.'),
          period_end: Day('Its last day.'),
          labels: Type.Record(Type.String(), Type.Array(Type.String()), {
            description: 'The labels’ values that were named.',
          }),
          except: Type.Record(Type.String(), Type.Array(Type.String()), {
            description: 'Those that were left out.',
          }),
          value: Decimal('The value as it is known now.'),
          as_of: OrNull(DateTime('The instant that was asked for.')),
          value_then: Decimal('The value as it was known at `as_of`.'),
          restated: Type.Boolean({ description: 'Whether any of the period was stated more than once.' }),
          delivery_visible: Type.Boolean({
            description: 'Whether the caller may open these deliveries: owners and developers may.',
          }),
          deliveries: Type.Array(tracedDeliverySchema, { description: 'The latest first.' }),
          next_cursor: NextCursor,
        },
        { title: 'ReportTrace' },
      ),
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when:
        '`period_start` begins no such period, `grain` is none of the metric’s, `label.<name>` or `not.<name>` names no label ' +
        'of the metric, one value of a label has to be named, or more than ' +
        `${traceCellsMax.toLocaleString('en-US')} samples are behind the value.`,
    },
    {
      code: 'not_found',
      when:
        'No delivery ever said anything of it, the source does not count such a metric, or the company has no such source, ' +
        'or the caller is no member of it.',
    },
  ],
})
