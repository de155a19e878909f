import { Type } from 'typebox'
import {
  DateTime,
  Day,
  Flag,
  ListPage,
  OrNull,
  PageQuery,
  Text,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { SourceParams } from '../../company/sources/contract.ts'
import { periods } from '../../formats/values/period.ts'
import { AsOf, LabelValues, Value } from './contract.ts'
import { traceCellsMax } from './trace-value.ts'

const tracedDeliverySchema = Type.Object(
  {
    artifact_id: Uuid('The delivery.'),
    received_at: DateTime('When it was received.'),
    shape_version: Whole('The version that it is parsed under.'),
    value: Value('What its own rows come to.'),
    rows: Whole('Its rows behind that.'),
    rows_refused: Whole('Refused rows of the whole delivery.'),
    covers: Type.Object(
      { from: Day('First day.'), to: Day('Last day.') },
      { description: 'The days of the period that its rows are about.' },
    ),
    counts_now: Value('The part of it that counts now.'),
    counts_then: Value('The part of it that counted at `as_of`; null without `as_of`.'),
    received_then: OrNull(Flag('Whether it had been received at `as_of`; null without `as_of`.')),
    added: OrNull(Whole('For a distinct count of events: how many values no earlier delivery had.')),
    event_at: OrNull(DateTime('For a last value: its event time, in UTC.')),
    superseded: Flag('Whether later statements replaced all of it.'),
    superseded_by: Type.Array(Uuid('A delivery.'), {
      description: 'The deliveries that replaced some or all of it.',
    }),
    step: Value(
      'Of statements: its value minus what was last stated before it about the same days; null if nothing was, for events, ' +
        'and where values of several days are not added.',
    ),
    replaces: Type.Array(Uuid('A delivery.'), {
      description: 'Of statements: the deliveries that had last stated the same days.',
    }),
    running: Value('Of events: the value after it, where it is a sum or a count; null for everything else.'),
  },
  { title: 'TracedReportDelivery' },
)

export const traceReportContract = sessionContract({
  operationId: 'traceReport',
  summary: 'Trace a value of a report to its deliveries',
  description:
    'Every delivery with rows about one period, the latest first, with what each gave, and what of it counted at `as_of` and ' +
    'counts now. Name labels with `label.<name>`, such as `label.country=SE`; given twice, either value counts. A label that ' +
    'is not named includes all its values, which distinct counts and last values do not allow. `not.<name>`, such as ' +
    '`not.country=SE`, leaves a value out: with each series of a report left out, `other` is traced. For every member.',
  tags: ['Reports'],
  params: SourceParams,
  query: Type.Object({
    ...PageQuery.properties,
    metric: Type.String({ maxLength: 100, description: 'The metric’s key.' }),
    period_start: Day('First day of the period.'),
    grain: Type.Optional(
      Type.Enum([...periods], { description: 'The length of the period; the metric’s own by default.' }),
    ),
    as_of: AsOf,
  }),
  responses: {
    200: {
      description: 'The deliveries behind the value.',
      body: ListPage('deliveries', tracedDeliverySchema, 'ReportTrace', {
        source_id: Uuid('The source.'),
        metric: Text('The metric’s key.'),
        grain: Type.Enum([...periods], { description: 'The length of the period.' }),
        period_start: Day('First day of the period.'),
        period_end: Day('Its last day.'),
        labels: LabelValues('The labels’ values that were named.'),
        except: LabelValues('Those that were left out.'),
        value: Value('The value as known now.'),
        as_of: OrNull(DateTime('The instant of the call.')),
        value_then: Value('The value as known at `as_of`.'),
        restated: Flag('Whether any of the period was stated more than once.'),
        delivery_visible: Flag('Whether the caller may open these deliveries: owners and developers may.'),
      }),
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when:
        'No such period begins on `period_start`, `grain` is not one of the metric’s, `label.<name>` or `not.<name>` does not ' +
        'name a label of the metric, one value of a label has to be named, or more than ' +
        `${traceCellsMax.toLocaleString('en-US')} samples are behind the value.`,
    },
    {
      code: 'not_found',
      when:
        'No delivery has rows about it, the source has no such metric, the company no such source, or the member no such ' +
        'company.',
    },
  ],
})
