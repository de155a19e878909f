import { Type } from 'typebox'
import { contract, type Answer, type ErrorUse } from '../../platform/http/contract.ts'
import { refusalReasons } from '../parsing/plan/refusal.ts'
import { daysAheadMax, farAheadRowsMax } from '../parsing/plan/remarks.ts'
import { knownMetrics } from '../declarations/known-metrics.ts'
import { answerBytesMax, samplesMax } from './read-samples.ts'
import { windowDaysMax } from '../../platform/reads/read-window.ts'

function day(description: string) {
  return Type.String({ format: 'date', description })
}
function uuid(description: string) {
  return Type.String({ format: 'uuid', description })
}
function instant(description: string) {
  return Type.String({ format: 'date-time', description })
}
function decimal(description: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description })
}
function orNull<Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

const orgnr = Type.Optional(
  Type.String({ description: 'The company, for a connection or an app that acts on more than one.' }),
)
const sourceId = Type.Optional(
  Type.String({
    format: 'uuid',
    description:
      'The source, for a connection bound to none; a bound one may name only its own. An app may leave it out where the ' +
      'company has one.',
  }),
)
const cursor = Type.Optional(
  Type.String({ description: '`next_cursor` of the page before; absent for the first one.' }),
)
const limit = Type.Optional(
  Type.String({ pattern: '^[0-9]{1,3}$', description: 'Items a page, 1 to 200; 50 unless said.' }),
)
const nextCursor = orNull(
  Type.String({ description: 'Names the next page; null on the last one. Its form may change.' }),
)
const metric = Type.String({
  description: `Metric key: ${knownMetrics.map(({ key }) => `\`${key}\``).join(', ')}.`,
})
const labels = Type.Record(Type.String(), Type.String(), {
  description: 'Label set as the metric declares it: the fields it is grouped by, with their values.',
})

/**
 * Parameters `label.<name>`: members of one object that is written out. One of them stands for all, so that the reference
 * has a field to fill in.
 */
function labelFilter(description: string) {
  return Type.Optional(
    Type.Object(
      {
        'label.country': Type.Optional(
          Type.String({
            description: 'For a label named `country`. Another label has its own name behind the dot.',
          }),
        ),
      },
      {
        patternProperties: { '^label[.]': { type: 'string', description: 'The value of the label.' } },
        additionalProperties: false,
        description,
        examples: [{ 'label.country': 'SE' }],
      },
    ),
  )
}

/** Of every read [read.unknown]. */
const strayParameter =
  'or a parameter is malformed, repeated or unknown: the message then names the nearest known one.'

const delivers = Type.Union([Type.Literal('events'), Type.Literal('statements')], {
  description: 'Whether its rows add to what came before, or are the whole of every period they touch.',
})

const sampleSchema = Type.Object(
  {
    metric,
    period_start: day("First day of the period, in the company's time zone."),
    value: decimal('Exact decimal.'),
    labels,
    sandbox: Type.Boolean({ description: 'Whether it came over a sandbox connection, and is test data.' }),
    artifact_id: Type.Optional(uuid('The delivery whose rows last changed it.')),
  },
  { title: 'Sample', additionalProperties: false, description: 'The value of a metric for a period.' },
)

const windowSchema = Type.Object(
  {
    from: day('First day read.'),
    to: day('The day after the last day read.'),
    max_days: Type.Integer({ description: `Widest window that a read answers for: ${windowDaysMax}.` }),
    narrowed: Type.Boolean({
      description: 'Whether `from` was further back than the window reaches, and was moved forward.',
    }),
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
    truncated: Type.Boolean({
      description: 'Whether there are more samples in the window than one answer holds.',
    }),
  },
  { title: 'Samples', additionalProperties: false, description: 'Samples of one source.' },
)

const sourceIdExample = '01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10'
const artifactIdExample = '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11'

const etagExample = '"0pXHkVd0V1w3Yh5cJm2aTgQ8rLz"'

const etagHeader: Answer['headers'] = {
  ETag: {
    description: 'Names this answer. Send it as `If-None-Match` to be spared an unchanged one.',
    schema: Type.String(),
    required: true,
  },
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
    'says that there were more: read an earlier window.\n\n' +
    'Asking again costs little: send the `ETag` of the answer that you have as `If-None-Match`, and an unchanged one is 304 ' +
    'without a body.',
  tags: ['Samples'],
  guard: 'bearer',
  permission: 'metrics.read',
  source: 'required',
  checkedByRoute: true,
  query: Type.Object({
    from: Type.Optional(day('First day read. Unset: as far back as the window reaches.')),
    to: Type.Optional(day('The day after the last day read. Unset: tomorrow, so that today is included.')),
    source_id: sourceId,
    orgnr,
    metric: Type.Optional(
      Type.String({ description: "Addition: only this metric's samples.", examples: ['revenue'] }),
    ),
    label: labelFilter(
      'Addition: only samples with these labels, a parameter for each: `label.country=SE`. `label` itself is not sent.',
    ),
    as_of: Type.Optional(
      instant(
        'Addition: samples as they read from what was received until this moment, RFC 3339 with an offset.',
      ),
    ),
  }),
  headers: Type.Object({
    'If-None-Match': Type.Optional(
      Type.String({
        description:
          'The `ETag` of an answer that you have kept: where nothing has changed since, the answer is 304.',
        examples: [etagExample],
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The samples.',
      body: samplesSchema,
      headers: etagHeader,
      examples: {
        days: {
          summary: 'Two days of revenue by country',
          value: {
            source_id: sourceIdExample,
            window: { from: '2026-01-01', to: '2026-01-16', max_days: windowDaysMax, narrowed: false },
            samples: [
              {
                metric: 'revenue',
                period_start: '2026-01-15',
                value: '1169.5',
                labels: { country: 'SE' },
                sandbox: false,
                artifact_id: artifactIdExample,
              },
              {
                metric: 'revenue',
                period_start: '2026-01-14',
                value: '980',
                labels: { country: 'NO' },
                sandbox: false,
                artifact_id: artifactIdExample,
              },
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
      when: `\`from\` or \`to\` is not a day, \`from\` is not before \`to\`, \`as_of\` is no instant, no metric of the source has the label, ${strayParameter}`,
      examples: {
        unknown: {
          summary: 'A label without its prefix',
          value: {
            code: 'invalid_argument',
            message:
              '`country` is not a parameter; a label is `label.country`; known ones are `from`, `to`, `source_id`, `orgnr`, `metric` and `as_of`.',
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
  ],
})

const tracedDeliverySchema = Type.Object(
  {
    artifact_id: uuid('The delivery.'),
    received_at: instant('When it was received.'),
    value: decimal('What its own rows come to.'),
    rows: Type.Integer({ description: 'Its rows behind the value.' }),
    added: orNull(
      Type.Integer({
        description:
          'For a distinct count of events: how many values no earlier delivery had; together they are the value of the ' +
          'sample. Null for everything else.',
      }),
    ),
    event_at: orNull(instant('For a last value: its event time, in UTC. Null for everything else.')),
    superseded: Type.Boolean({ description: 'Whether a later statement of the period took its place.' }),
  },
  { title: 'TracedDelivery', additionalProperties: false },
)

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
          period_start: day('First day of the period.'),
          labels,
          sandbox: Type.Boolean({ description: 'Whether it is test data.' }),
          value: orNull(
            decimal('The sample. Null where none is read: the statement that holds does not mention it.'),
          ),
          restated: Type.Boolean({ description: 'Whether the period was stated more than once.' }),
          owner_artifact_id: orNull(
            uuid(
              'For statements: the delivery that all samples of the period are read from. Null for events.',
            ),
          ),
          deliveries: Type.Array(tracedDeliverySchema, { description: 'The latest first.' }),
          next_cursor: nextCursor,
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
              {
                artifact_id: artifactIdExample,
                received_at: '2026-01-15T15:02:11.120Z',
                value: '-80',
                rows: 1,
                added: null,
                event_at: null,
                superseded: false,
              },
              {
                artifact_id: '01977c1d-9a40-7f1b-b2c3-5d6e7f809112',
                received_at: '2026-01-15T09:30:04.003Z',
                value: '1249.5',
                rows: 1,
                added: null,
                event_at: null,
                superseded: false,
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
              {
                artifact_id: artifactIdExample,
                received_at: '2026-01-15T15:02:11.120Z',
                value: '48210',
                rows: 15,
                added: null,
                event_at: null,
                superseded: false,
              },
              {
                artifact_id: '01977c1d-9a40-7f1b-b2c3-5d6e7f809112',
                received_at: '2026-01-08T15:01:40.377Z',
                value: '22875.5',
                rows: 8,
                added: null,
                event_at: null,
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
    { code: 'not_found', when: 'No delivery ever said anything of such a sample.' },
  ],
})

/** A refused row, as the pages show it too. */
export const refusalSchema = Type.Object(
  {
    row: Type.Integer({ description: "The row's number in the delivery, from 1." }),
    line: Type.Optional(
      Type.Integer({
        description:
          'The line that the row begins on, from 1, in the document as it is stored; for CSV, JSON lines and SIE.',
      }),
    ),
    field: Type.Optional(
      Type.String({ description: 'The field concerned; absent where it is the whole row.' }),
    ),
    code: Type.Enum(Object.keys(refusalReasons), { description: 'Short machine-readable reason.' }),
    reason: Type.String({ description: 'The reason as a sentence.' }),
  },
  { title: 'Refusal', additionalProperties: false },
)

function rows(description: string) {
  return orNull(Type.Integer({ description: `${description} Null while it is queued.` }))
}

const notCounted = 'Null while it is queued, and where it was parsed before this was counted.'

/** What is pointed out about accepted rows, as the pages show it too. */
export const remarkFields = {
  missing_values: orNull(
    Type.Array(
      Type.Object(
        {
          metric: Type.String({ description: 'Metric key.' }),
          field: Type.String({
            description: 'The field that the metric computes with and that the rows lack.',
          }),
          rows: Type.Integer({ description: 'Accepted rows that added nothing to the metric for it.' }),
          similar_dropped_key: Type.Optional(
            Type.String({
              description:
                'A key that the delivery carried, that is not declared, and that is nearly the name of the field: probably a ' +
                'typing error.',
            }),
          ),
        },
        { title: 'MissingValue', additionalProperties: false },
      ),
      {
        description: `Accepted rows that added nothing to a metric because a field was missing or empty. ${notCounted}`,
      },
    ),
  ),
  rows_far_ahead: orNull(
    Type.Integer({
      description: `Accepted rows dated more than ${daysAheadMax} days after the day of receipt; they count. ${notCounted}`,
    }),
  ),
}
export const farAheadSchema = Type.Array(
  Type.Object(
    {
      row: Type.Integer({ description: "The row's number in the delivery, from 1." }),
      line: Type.Optional(
        Type.Integer({ description: 'The line that the row begins on; for CSV, JSON lines and SIE.' }),
      ),
      day: Type.Optional(
        day("Its day in the company's time zone; absent where the event time is a personal field."),
      ),
    },
    { title: 'FarAheadRow', additionalProperties: false },
  ),
  { description: `The first ${farAheadRowsMax} rows dated far ahead.` },
)

/** Where a call names nothing but its company. */
const severalCompanies: ErrorUse = {
  code: 'invalid_argument',
  when: `\`orgnr\` is missing or is not an organisation number, ${strayParameter}`,
  examples: {
    orgnr: {
      summary: 'No company named',
      value: {
        code: 'invalid_argument',
        message: 'The connection acts on several companies; name one with orgnr.',
        field: 'orgnr',
      },
    },
  },
}

export const showDeliveryContract = contract({
  api: 'public',
  operationId: 'showDelivery',
  summary: 'Show what became of a delivery',
  description:
    'Find out whether a delivery is parsed, how many of its rows count, and why the others were refused or added nothing.\n\n' +
    'Needs `sources.ingest` or `metrics.read`. A sandbox connection sees test deliveries, every other one production ' +
    'deliveries; a connection bound to a source sees the deliveries of that one.',
  tags: ['Push'],
  addition: true,
  guard: 'bearer',
  permission: ['sources.ingest', 'metrics.read'],
  source: 'none',
  checkedByRoute: true,
  params: Type.Object({
    artifact_id: Type.String({
      format: 'uuid',
      description: "The receipt's `artifact_id`.",
      examples: [artifactIdExample],
    }),
  }),
  query: Type.Object({ orgnr }),
  responses: {
    200: {
      description: 'The delivery.',
      body: Type.Object(
        {
          artifact_id: uuid('The delivery.'),
          source_id: uuid('Its source.'),
          state: Type.Union([Type.Literal('queued'), Type.Literal('parsed'), Type.Literal('unreadable')], {
            description:
              '`queued`: still to be read. `parsed`: its rows are in the samples, but for the refused ones. ' +
              '`unreadable`: stored, but its content is broken; no row counts.',
          }),
          reason: orNull(Type.String({ description: 'Why it is unreadable; null otherwise.' })),
          received_at: instant('When it was received.'),
          shape_version: Type.Integer({ description: 'The version that it is parsed under.' }),
          delivers,
          sandbox: Type.Boolean({ description: 'Whether it is test data.' }),
          dropped_keys: Type.Array(Type.String(), { description: "The receipt's." }),
          rows_accepted: rows('Rows that count.'),
          rows_refused: rows('Rows that do not fit the fields.'),
          rows_date_alone: rows('Accepted rows of which some timestamp was a date alone.'),
          ...remarkFields,
          far_ahead: farAheadSchema,
          refusals: Type.Array(refusalSchema, { description: 'The first 100 refused rows.' }),
        },
        { title: 'DeliveryReport', additionalProperties: false },
      ),
      examples: {
        parsed: {
          summary: 'Parsed; one row was refused, and one has a misspelled key',
          value: {
            artifact_id: artifactIdExample,
            source_id: sourceIdExample,
            state: 'parsed',
            reason: null,
            received_at: '2026-01-15T09:30:04.003Z',
            shape_version: 1,
            delivers: 'events',
            sandbox: false,
            dropped_keys: ['amout'],
            rows_accepted: 2,
            rows_refused: 1,
            rows_date_alone: 1,
            missing_values: [{ metric: 'revenue', field: 'amount', rows: 1, similar_dropped_key: 'amout' }],
            rows_far_ahead: 0,
            far_ahead: [],
            refusals: [
              { row: 3, field: 'amount', code: 'number_malformed', reason: refusalReasons.number_malformed },
            ],
          },
        },
        queued: {
          summary: 'Not parsed yet',
          value: {
            artifact_id: artifactIdExample,
            source_id: sourceIdExample,
            state: 'queued',
            reason: null,
            received_at: '2026-01-15T09:30:04.003Z',
            shape_version: 1,
            delivers: 'events',
            sandbox: false,
            dropped_keys: [],
            rows_accepted: null,
            rows_refused: null,
            rows_date_alone: null,
            missing_values: null,
            rows_far_ahead: null,
            far_ahead: [],
            refusals: [],
          },
        },
      },
    },
  },
  errors: [severalCompanies, { code: 'not_found', when: 'The caller can see no such delivery.' }],
})

export const listReadableSourcesContract = contract({
  api: 'public',
  operationId: 'listReadableSources',
  summary: 'List the sources that may be named',
  description:
    'Find the `source_id` to name, for a connection or an app that may read several sources.\n\n' +
    "Lists the company's sources; for a connection bound to a source that one.",
  tags: ['Samples'],
  addition: true,
  guard: 'bearer',
  permission: 'metrics.read',
  source: 'none',
  checkedByRoute: true,
  query: Type.Object({ orgnr, cursor, limit }),
  responses: {
    200: {
      description: 'The sources, in the order they were made.',
      body: Type.Object(
        {
          sources: Type.Array(
            Type.Object(
              {
                source_id: uuid('The source.'),
                name: Type.String({ description: 'Its name.' }),
                delivers,
                shape_version: Type.Integer({ description: 'Its current shape version.' }),
                paused: Type.Boolean({
                  description: 'Whether the company paused it: it takes no new deliveries.',
                }),
              },
              { title: 'ReadableSource', additionalProperties: false },
            ),
            { description: 'In the order they were made.' },
          ),
          next_cursor: nextCursor,
        },
        { title: 'ReadableSources', additionalProperties: false },
      ),
      examples: {
        one: {
          summary: 'One source',
          value: {
            sources: [
              {
                source_id: sourceIdExample,
                name: 'Shop',
                delivers: 'events',
                shape_version: 1,
                paused: false,
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
      when: `\`cursor\` or \`limit\` is malformed, \`orgnr\` is missing or is not an organisation number, ${strayParameter}`,
      examples: {
        limit: {
          summary: 'Too many at once',
          value: {
            code: 'invalid_argument',
            message: 'limit must be a whole number from 1 to 200.',
            field: 'limit',
          },
        },
      },
    },
  ],
})

export const listCompaniesContract = contract({
  api: 'public',
  operationId: 'listReadableCompanies',
  summary: 'List the companies that may be named',
  description:
    'Find the `orgnr` to name, for an app that reads several companies.\n\n' +
    'Lists the companies that the caller acts on now. Where there are several, other calls name one with `orgnr`.',
  tags: ['Samples'],
  addition: true,
  guard: 'bearer',
  permission: 'company.read',
  source: 'none',
  company: 'any',
  checkedByRoute: true,
  // An app names the company on each call (specification, "Delegated access"); here it leaves none out.
  query: Type.Object({ orgnr }),
  responses: {
    200: {
      description: 'The companies.',
      body: Type.Object(
        {
          companies: Type.Array(
            Type.Object(
              {
                orgnr: Type.String({ description: 'Organisation number.' }),
                name: Type.String({ description: 'Its name.' }),
                time_zone: Type.String({
                  description: 'IANA name; days, weeks and months are counted in it.',
                }),
              },
              { title: 'ReadableCompany', additionalProperties: false },
            ),
            { description: 'Those that may be named with `orgnr`.' },
          ),
        },
        { title: 'ReadableCompanies', additionalProperties: false },
      ),
      examples: {
        one: {
          summary: 'One company',
          value: {
            companies: [{ orgnr: '559000-0003', name: 'Bageriet AB', time_zone: 'Europe/Stockholm' }],
          },
        },
      },
    },
  },
})
