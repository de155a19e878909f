import { Type } from 'typebox'
import { contract, type Answer } from '../../platform/http/contract.ts'
import {
  DateTime,
  Day,
  Decimal,
  Flag,
  NextCursor,
  OrNull,
  Text,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { windowDaysMax } from '../../platform/reads/read-window.ts'
import { aggregationNames, aggregations } from '../aggregations/aggregations.ts'
import { csvAnswer, csvHeaders } from './csv-contract.ts'
import { answerBytesMax, samplesMax } from './read-samples.ts'
import {
  artifactIdExample,
  cursor,
  labelFilter,
  labels,
  limit,
  metric,
  orgnr,
  sourceId,
  sourceIdExample,
  strayParameter,
  uuid,
} from './parameters.ts'

const sampleSchema = Type.Object(
  {
    metric,
    period_start: Day("First day of the period, in the company's time zone."),
    value: Decimal('Exact decimal.'),
    labels,
    sandbox: Flag('Whether it came over a sandbox connection, and is test data.'),
    artifact_id: Type.Optional(uuid('The delivery whose rows last changed it.')),
  },
  { title: 'Sample', additionalProperties: false, description: 'The value of a metric for a period.' },
)

const windowSchema = Type.Object(
  {
    from: Day('First day read.'),
    to: Day('The day after the last day read.'),
    max_days: Whole(`Widest window that a read answers for: ${windowDaysMax}.`),
    narrowed: Flag('Whether `from` was further back than the window reaches, and was moved forward.'),
  },
  { title: 'Window', additionalProperties: false, description: 'The days that were read.' },
)

const samplesSchema = Type.Object(
  {
    source_id: uuid('The source that was read.'),
    window: windowSchema,
    samples: Type.Array(sampleSchema, {
      maxItems: samplesMax,
      description:
        'Newest first, then by metric, then by the labels’ values, label name by label name, in code point order.',
    }),
    truncated: Flag('Whether there are more samples in the window than one answer holds.'),
    next: Type.Optional(
      Text(
        'Addition: where `truncated` is true, the `cursor` with which the next call continues. Its form may change.',
      ),
    ),
  },
  { title: 'Samples', additionalProperties: false, description: 'Samples of one source.' },
)

const etagExample = '"0pXHkVd0V1w3Yh5cJm2aTgQ8rLz"'

const etagHeader: Answer['headers'] = {
  ETag: {
    description: 'Names this answer. Send it as `If-None-Match`: an unchanged answer is 304.',
    schema: Type.String(),
    required: true,
  },
}

const sampleExample = {
  metric: 'revenue',
  period_start: '2026-01-15',
  value: '1169.5',
  labels: { country: 'SE' },
  sandbox: false,
  artifact_id: artifactIdExample,
}

export const readSamplesContract = contract({
  api: 'public',
  operationId: 'readSamples',
  summary: "Read the source's samples",
  description:
    "Read a source's numbers for a window of days, each with the delivery that it came from.\n\n" +
    'Samples come newest first; what a later statement superseded is left out. A sandbox connection reads test samples, ' +
    'every other one production samples.\n\n' +
    `The window is at most ${windowDaysMax} days; a \`from\` further back is moved forward and \`window.narrowed\` says ` +
    `so. At most ${samplesMax} samples come back, in an answer of at most ${answerBytesMax / 1_048_576} MiB; \`truncated\` ` +
    'says that there were more: send `next` as `cursor` for those that follow, of the same state of the samples.\n\n' +
    'Addition: with `Accept: text/csv` the answer is CSV (RFC 4180) with the same samples: `,`, a header row, a column ' +
    '`label.<name>` for each label. Texts are exact: a spreadsheet may take one that begins with `=` for a formula.\n\n' +
    'Polling costs little: send the `ETag` of your last answer as `If-None-Match`, and an unchanged one is 304 without a body.',
  tags: ['Samples'],
  guard: 'bearer',
  permission: 'metrics.read',
  source: 'required',
  checkedByRoute: true,
  query: Type.Object({
    from: Type.Optional(Day('First day read. Unset: as far back as the window reaches.')),
    to: Type.Optional(Day('The day after the last day read. Unset: tomorrow, so that today is included.')),
    source_id: sourceId,
    orgnr,
    metric: Type.Optional(
      Type.String({ description: "Addition: only this metric's samples.", examples: ['revenue'] }),
    ),
    label: labelFilter(
      'Addition: only samples with these labels, a parameter for each: `label.country=SE`. `label` itself is not sent.',
    ),
    as_of: Type.Optional(
      DateTime(
        'Addition: samples as they read from what was received until this moment, RFC 3339 with an offset.',
      ),
    ),
    cursor: Type.Optional(
      Text(
        'Addition: `next` of the answer before, with the same other parameters; absent for the first one.',
      ),
    ),
  }),
  headers: Type.Object({
    'If-None-Match': Type.Optional(
      Type.String({
        description: 'The `ETag` of an earlier answer: if nothing has changed since, the answer is 304.',
        examples: [etagExample],
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The samples.',
      body: samplesSchema,
      alternatives: [csvAnswer],
      headers: { ...etagHeader, ...csvHeaders },
      examples: {
        days: {
          summary: 'Two days of revenue by country',
          value: {
            source_id: sourceIdExample,
            window: { from: '2026-01-01', to: '2026-01-16', max_days: windowDaysMax, narrowed: false },
            samples: [
              sampleExample,
              { ...sampleExample, period_start: '2026-01-14', value: '980', labels: { country: 'NO' } },
            ],
            truncated: false,
          },
        },
        none: {
          summary: 'Nothing in the window, whose beginning was moved forward',
          value: {
            source_id: sourceIdExample,
            window: { from: '2024-01-16', to: '2026-01-16', max_days: windowDaysMax, narrowed: true },
            samples: [],
            truncated: false,
          },
        },
      },
    },
    304: {
      description: 'Nothing has changed since the answer whose tag was sent as `If-None-Match`. No body.',
      headers: etagHeader,
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when: `\`from\` or \`to\` is not a day, \`from\` is not before \`to\`, \`as_of\` is no instant, \`cursor\` is not of an answer to the same query, no metric of the source has the label, ${strayParameter}`,
      examples: {
        unknown: {
          summary: 'A label without its prefix',
          value: {
            code: 'invalid_argument',
            message:
              '`country` is not a parameter; a label is `label.country`; known ones are `from`, `to`, `source_id`, `orgnr`, `metric`, `as_of` and `cursor`.',
            field: 'country',
          },
        },
        from: {
          summary: 'No such day',
          value: {
            code: 'invalid_argument',
            message: 'from is not a day, such as 2026-01-31.',
            field: 'from',
          },
        },
        source: {
          summary: 'No source named',
          value: {
            code: 'invalid_argument',
            message: 'The connection is bound to no source; name one with source_id.',
            field: 'source_id',
          },
        },
      },
    },
    {
      code: 'conflict',
      when: 'The samples have changed since the answer that gave the `cursor`: begin again without it.',
    },
  ],
})
const datedAggregations = aggregationNames
  .filter((name) => aggregations[name].keeps === 'event_time')
  .map((name) => `\`${name}\``)
  .join(', ')

const tracedDeliverySchema = Type.Object(
  {
    artifact_id: uuid('The delivery.'),
    received_at: DateTime('When it was received.'),
    value: Decimal('What its own rows come to.'),
    rows: Whole('Its rows behind the value.'),
    added: OrNull(
      Whole(
        'For a distinct count of events: how many values no earlier delivery had; together they are the value of the ' +
          'sample. Null for everything else.',
      ),
    ),
    event_at: OrNull(
      DateTime(`The event time of the value, in UTC, of ${datedAggregations}. Null for everything else.`),
    ),
    superseded: Flag('Whether a later statement of the period took its place.'),
    step: OrNull(
      Decimal(
        'Of statements: its value minus that of the delivery before it, the next in the list. Null for the first one and ' +
          'for events.',
      ),
    ),
    running: OrNull(
      Decimal(
        'Of events: the value of the sample after it, where it is a sum or a count. Null for everything else.',
      ),
    ),
  },
  { title: 'TracedDelivery', additionalProperties: false },
)

const tracedExample = {
  artifact_id: artifactIdExample,
  received_at: '2026-01-15T15:02:11.120Z',
  value: '',
  rows: 0,
  added: null,
  event_at: null,
  superseded: false,
  step: null as string | null,
  running: null as string | null,
}
const earlierArtifactIdExample = '01977c1d-9a40-7f1b-b2c3-5d6e7f809112'

export const traceSampleContract = contract({
  api: 'public',
  operationId: 'traceSample',
  summary: 'Trace a sample to its deliveries',
  description:
    'See which deliveries a number comes from, and what each of them contributed.\n\n' +
    'Every delivery that ever said something of the sample is listed, the latest first. Name all labels of the sample with ' +
    '`label.<name>`, such as `label.country=SE`.',
  tags: ['Samples'],
  addition: true,
  guard: 'bearer',
  permission: 'metrics.read',
  source: 'required',
  checkedByRoute: true,
  query: Type.Object({
    metric: Type.String({ description: 'Metric key of the sample.', examples: ['revenue'] }),
    period_start: Type.String({
      format: 'date',
      description: 'First day of its period.',
      examples: ['2026-01-15'],
    }),
    label: labelFilter(
      'Every label of the sample, a parameter for each: `label.country=SE`. `label` itself is not sent.',
    ),
    source_id: sourceId,
    orgnr,
    cursor,
    limit,
  }),
  responses: {
    200: {
      description: 'The deliveries behind the sample.',
      body: Type.Object(
        {
          source_id: uuid('The source.'),
          metric,
          period_start: Day('First day of the period.'),
          labels,
          sandbox: Flag('Whether it is test data.'),
          value: OrNull(
            Decimal('The sample. Null where none is read: the statement that holds does not mention it.'),
          ),
          restated: Flag('Whether the period was stated more than once.'),
          owner_artifact_id: OrNull(
            uuid(
              'For statements: the delivery that all samples of the period are read from. Null for events.',
            ),
          ),
          deliveries: Type.Array(tracedDeliverySchema, { description: 'The latest first.' }),
          next_cursor: NextCursor,
        },
        { title: 'Trace', additionalProperties: false },
      ),
      examples: {
        corrected: {
          summary: 'A sale and its refund',
          value: {
            source_id: sourceIdExample,
            metric: 'revenue',
            period_start: '2026-01-15',
            labels: { country: 'SE' },
            sandbox: false,
            value: '1169.5',
            restated: false,
            owner_artifact_id: null,
            deliveries: [
              { ...tracedExample, value: '-80', rows: 1, running: '1169.5' },
              {
                ...tracedExample,
                artifact_id: earlierArtifactIdExample,
                received_at: '2026-01-15T09:30:04.003Z',
                value: '1249.5',
                rows: 1,
                running: '1249.5',
              },
            ],
            next_cursor: null,
          },
        },
        restated: {
          summary: 'A month stated twice',
          value: {
            source_id: sourceIdExample,
            metric: 'revenue',
            period_start: '2026-01-01',
            labels: {},
            sandbox: false,
            value: '48210',
            restated: true,
            owner_artifact_id: artifactIdExample,
            deliveries: [
              { ...tracedExample, value: '48210', rows: 15, step: '25334.5' },
              {
                ...tracedExample,
                artifact_id: earlierArtifactIdExample,
                received_at: '2026-01-08T15:01:40.377Z',
                value: '22875.5',
                rows: 8,
                superseded: true,
              },
            ],
            next_cursor: null,
          },
        },
      },
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when: `\`metric\` or \`period_start\` is missing, a label of the metric is not named, no metric of the source has the label, ${strayParameter}`,
      examples: {
        label: {
          summary: 'A label is not named',
          value: {
            code: 'invalid_argument',
            message: 'revenue is grouped by country: name its value.',
            field: 'label.country',
          },
        },
      },
    },
    { code: 'not_found', when: 'No delivery has contributed to such a sample.' },
  ],
})
