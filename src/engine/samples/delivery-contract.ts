import { Type } from 'typebox'
import { contract, type ErrorUse } from '../../platform/http/contract.ts'
import { DateTime, Day, Flag, OrNull, Text, Whole } from '../../platform/http/console-schemas.ts'
import { refusalReasons } from '../parsing/plan/refusal.ts'
import { daysAheadMax, farAheadRowsMax } from '../parsing/plan/remarks.ts'
import { artifactIdExample, delivers, orgnr, sourceIdExample, strayParameter, uuid } from './parameters.ts'

/** A refused row, as the pages show it too. */
export const refusalSchema = Type.Object(
  {
    row: Whole("The row's number in the delivery, from 1."),
    line: Type.Optional(
      Whole(
        'The line that the row begins on, from 1, in the document as it is stored; for CSV, JSON lines and SIE.',
      ),
    ),
    field: Type.Optional(Text('The field concerned; absent where it is the whole row.')),
    code: Type.Enum(Object.keys(refusalReasons), { description: 'Short machine-readable reason.' }),
    reason: Text('The reason as a sentence.'),
  },
  { title: 'Refusal', additionalProperties: false },
)

function rows(description: string) {
  return OrNull(Whole(`${description} Null while it is queued.`))
}

const notCounted = 'Null while it is queued, and where it was parsed before this was counted.'

/** What is pointed out about accepted rows, as the pages show it too. */
export const remarkFields = {
  missing_values: OrNull(
    Type.Array(
      Type.Object(
        {
          metric: Text('Metric key.'),
          field: Text('The field that the metric computes with and that the rows lack.'),
          rows: Whole('Accepted rows that added nothing to the metric for it.'),
          similar_dropped_key: Type.Optional(
            Text(
              'A key that the delivery carried, that is not declared, and that is nearly the name of the field: probably a ' +
                'typing error.',
            ),
          ),
        },
        { title: 'MissingValue', additionalProperties: false },
      ),
      {
        description: `Accepted rows that added nothing to a metric because a field was missing or empty. ${notCounted}`,
      },
    ),
  ),
  rows_far_ahead: OrNull(
    Whole(
      `Accepted rows dated more than ${daysAheadMax} days after the day of receipt; they count. ${notCounted}`,
    ),
  ),
}
export const farAheadSchema = Type.Array(
  Type.Object(
    {
      row: Whole("The row's number in the delivery, from 1."),
      line: Type.Optional(Whole('The line that the row begins on; for CSV, JSON lines and SIE.')),
      day: Type.Optional(
        Day("Its day in the company's time zone; absent where the event time is a personal field."),
      ),
    },
    { title: 'FarAheadRow', additionalProperties: false },
  ),
  { description: `The first ${farAheadRowsMax} rows dated far ahead.` },
)

/** Where a call names nothing but its company. */
export const severalCompanies: ErrorUse = {
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

/** Of `deliveryFields`. */
export const deliveryExample = {
  artifact_id: artifactIdExample,
  source_id: sourceIdExample,
  state: 'parsed',
  reason: null,
  received_at: '2026-01-15T09:30:04.003Z',
  shape_version: 1,
  delivers: 'events',
  sandbox: false,
  rows_accepted: 2,
  rows_refused: 1,
  rows_date_alone: 1,
}

const parsedExample = {
  ...deliveryExample,
  dropped_keys: ['amout'],
  missing_values: [{ metric: 'revenue', field: 'amount', rows: 1, similar_dropped_key: 'amout' }],
  rows_far_ahead: 0,
  far_ahead: [],
  refusals: [{ row: 3, field: 'amount', code: 'number_malformed', reason: refusalReasons.number_malformed }],
}

/** What every list of deliveries says of one. */
export const deliveryFields = {
  artifact_id: uuid('The delivery.'),
  source_id: uuid('Its source.'),
  state: Type.Union([Type.Literal('queued'), Type.Literal('parsed'), Type.Literal('unreadable')], {
    description:
      '`queued`: still to be read. `parsed`: its rows are in the samples, but for the refused ones. ' +
      '`unreadable`: stored, but its content is broken; no row counts.',
  }),
  reason: OrNull(Text('Why it is unreadable; null otherwise.')),
  received_at: DateTime('When it was received.'),
  shape_version: Whole('The version that it is parsed under.'),
  delivers,
  sandbox: Flag('Whether it is test data.'),
  rows_accepted: rows('Rows that count.'),
  rows_refused: rows('Rows that do not fit the fields.'),
  rows_date_alone: rows('Accepted rows of which some timestamp was a date alone.'),
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
          ...deliveryFields,
          dropped_keys: Type.Array(Type.String(), { description: "The receipt's." }),
          ...remarkFields,
          far_ahead: farAheadSchema,
          refusals: Type.Array(refusalSchema, { description: 'The first 100 refused rows.' }),
        },
        { title: 'DeliveryReport', additionalProperties: false },
      ),
      examples: {
        parsed: {
          summary: 'Parsed; one row was refused, and one has a misspelled key',
          value: parsedExample,
        },
        queued: {
          summary: 'Not parsed yet',
          value: {
            ...parsedExample,
            state: 'queued',
            dropped_keys: [],
            rows_accepted: null,
            rows_refused: null,
            rows_date_alone: null,
            missing_values: null,
            rows_far_ahead: null,
            refusals: [],
          },
        },
      },
    },
  },
  errors: [severalCompanies, { code: 'not_found', when: 'The caller can see no such delivery.' }],
})
