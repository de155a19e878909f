import { exampleEncodings } from './example-content.ts'
import { formatNames, formats } from '../../engine/formats/formats.ts'
import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  Day,
  Flag,
  OrNull,
  Text,
  Uuid,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { refusalReasons } from '../../engine/parsing/plan/refusal.ts'
import { farAheadSchema, remarkFields } from '../../engine/samples/delivery-contract.ts'
import { SourceParams, wrongDeclaration } from '../../company/sources/contract.ts'
import { declarationFields, storedDeliveriesSchema } from '../../company/sources/source-schemas.ts'
import { aggregationNames } from '../../engine/aggregations/aggregations.ts'
import { fieldTypes } from '../../engine/fields/field-value.ts'
import { personalKinds } from './guess-personal.ts'
import { warningCodes } from './warning.ts'

const strict = { additionalProperties: false }

function count(description: string) {
  return Type.Integer({ minimum: 0, description })
}

const format = Type.Enum(formatNames, { description: 'Its format.' })

const formatEncodings = formatNames.map((name) => formats[name].encoding).filter((own) => own !== null)

const encoding = Type.Enum([...exampleEncodings, ...new Set(formatEncodings)], {
  description:
    'The encoding of its text. Deliveries must be in UTF-8 (SIE files may be in code page 437); any other encoding is ' +
    'among the warnings.',
})

/** Example rows of a system. */
export const ExampleInput = Type.Object(
  {
    format: Type.Optional(OrNull(format)),
    text: Type.Optional(Text('What was pasted. Either this or `content_base64`.')),
    content_base64: Type.Optional(Text('The bytes of a file in base64, at most 8 MiB of them.')),
  },
  {
    ...strict,
    title: 'ExampleInput',
    description: '`format` is detected from the first bytes if it is null or absent.',
  },
)

/** The body of a preview. */
export const PreviewInput = Type.Object(
  {
    declaration: Type.Object(declarationFields, { ...strict, title: 'DeclarationInput' }),
    example: Type.Optional(OrNull(ExampleInput)),
    artifact_id: Type.Optional(
      OrNull(Uuid('A delivery of the source, previewed as if it were sent with this declaration.')),
    ),
  },
  { ...strict, title: 'PreviewInput' },
)

const exampleFieldSchema = Type.Object(
  {
    name: Text('The column or key.'),
    type: Type.Enum([...fieldTypes], { description: 'The type that its values have.' }),
    personal: Flag('Whether it looks like data about a person.'),
    personal_guess: OrNull(
      Type.Object(
        {
          kind: Type.Enum([...personalKinds], { description: 'What it looks like.' }),
          by: Type.Enum(['name', 'values'], { description: 'Whether its name or its values suggest that.' }),
        },
        { title: 'PersonalGuess' },
      ),
    ),
    filled: count('Examined rows that have a value.'),
    examples: Type.Array(Type.String(), {
      description: 'The first 3 different values, at most 200 characters each.',
    }),
  },
  { title: 'ExampleField' },
)

const warningSchema = Type.Object(
  {
    code: Type.Enum([...warningCodes], {
      description: [
        '`not_utf8`: deliveries in this encoding are refused, send UTF-8;',
        '`separator_not_read`: the columns are separated by something other than `,` or `;`, in `value`;',
        '`name_missing`: a column without a name; `name_twice`: two of one name, such a file is refused;',
        '`name_not_allowed`: a name that no field may have; `name_invisible`: one with characters that are not seen;',
        '`too_many_fields`: `rows` is how many there are, the first 200 are proposed;',
        '`would_be_refused`: `rows` of the rows looked at do not fit the proposed type as they are written;',
        '`mostly_numbers`: proposed as text, since `rows` of the rows looked at are no numbers;',
        '`not_plain`: a value is an object or a list, which refuses its row;',
        '`cells_differ`: `rows` records have another number of cells than the header row;',
        '`envelope`: the whole body of a push was given, its payload was looked at;',
        '`no_event_time`: no field is a timestamp, and a source needs one.',
      ].join(' '),
    }),
    field: OrNull(Text('The field concerned.')),
    row: OrNull(Type.Integer({ minimum: 1, description: 'The first row concerned.' })),
    value: OrNull(Text('The value, at most 200 characters.')),
    suggestion: OrNull(Text('The corrected value.')),
    rows: OrNull(count('How many rows are concerned.')),
  },
  { title: 'ExampleWarning' },
)

const needsDeveloper = 'Needs the role `developer`.'
const notRead = {
  code: 'invalid_argument',
  when:
    'It is broken as its format, or a file of a spreadsheet program; `field` is the member, and `details` has `fault` (such as ' +
    '`open_quote`, `syntax`, `spreadsheet`) and `line`, null where that is not known.',
} as const
const tooLarge = {
  code: 'too_large',
  when: 'The example is larger than 8 MiB, or needs more memory than a preview may use.',
} as const
const busy = {
  code: 'internal',
  status: 503,
  when: 'Too many of the company’s previews are waiting, or it took too long.',
} as const

export const readExampleContract = sessionContract({
  operationId: 'readExample',
  summary: 'Propose fields from an example',
  description:
    'Reads it as a delivery is read, and proposes fields, types, personal marks and an event time. Nothing of it is ' +
    `stored. ${needsDeveloper}`,
  tags: ['Sources'],
  params: CompanyParams,
  bodies: [
    {
      mediaType: 'application/json',
      schema: ExampleInput,
      examples: { csv: { value: { text: 'sold_at,amount\n2026-11-21T14:03:00+01:00,1249.00\n' } } },
    },
  ],
  responses: {
    200: {
      description: 'The proposal.',
      body: Type.Object(
        {
          format,
          encoding,
          rows: count('The number of its rows.'),
          fields: Type.Array(exampleFieldSchema, {
            description: 'In the order of the example, at most 200.',
          }),
          event_time: OrNull(Text('The proposed event time; null if there is no timestamp field.')),
          warnings: Type.Array(warningSchema, { description: 'At most 200.' }),
        },
        { title: 'ReadExample' },
      ),
    },
  },
  errors: [notRead, tooLarge, busy],
})

const previewRefusalSchema = Type.Object(
  {
    row: Type.Integer({ minimum: 1, description: 'The row’s number in the delivery, from 1.' }),
    line: Type.Optional(Type.Integer({ minimum: 1, description: 'The line that it begins on.' })),
    field: Type.Optional(Text('The field concerned; absent for the whole row.')),
    code: Type.Enum(Object.keys(refusalReasons), { description: 'Short machine-readable reason.' }),
    reason: Text('The reason as a sentence.'),
    value: OrNull(Text('The value, at most 200 characters. Null for a personal field.')),
    suggestion: OrNull(Text('The corrected value, if it is unambiguous.')),
  },
  { title: 'PreviewRefusal' },
)

const previewedDeliverySchema = Type.Object(
  {
    artifact_id: OrNull(Uuid('The delivery; null: it is the example.')),
    idempotency_key: OrNull(Text('Its idempotency key, or the delivery id of a webhook.')),
    received_at: OrNull(DateTime('When it was received.')),
    state: Type.Enum(['parsed', 'unreadable'], { description: '`unreadable`: no row of it counts.' }),
    reason: OrNull(Text('Why it is unreadable.')),
    dropped_keys: Type.Array(Type.String(), { description: 'Of the example: undeclared keys, at most 50.' }),
    rows_accepted: count('Rows that count.'),
    rows_refused: count('Rows that do not fit the fields.'),
    rows_date_alone: count('Accepted rows with a timestamp that is a date without a time.'),
    ...remarkFields,
    far_ahead: farAheadSchema,
    refusals: Type.Array(previewRefusalSchema, { description: 'The first 20 refused rows.' }),
  },
  { title: 'PreviewedDelivery' },
)

const savingSchema = Type.Object(
  {
    creates_version: OrNull(
      Type.Integer({
        minimum: 2,
        description: 'The shape version that saving would create; null if the declaration is unchanged.',
      }),
    ),
    rebuilds: Flag('Whether all stored deliveries would be rebuilt.'),
    stored: storedDeliveriesSchema,
  },
  {
    title: 'SavingEffect',
    description: 'The effect of saving the declaration; null for a source that does not exist yet.',
  },
)

const comparedSchema = Type.Object(
  {
    rows_refused: count('Rows that are refused as it was sent.'),
    rows_newly_accepted: count('Those of them that the declaration accepts.'),
    rows_newly_refused: count('Rows that are accepted as it was sent, and that the declaration refuses.'),
  },
  {
    title: 'PreviewComparison',
    description:
      'Of one delivery: its rows as it was sent and under the declaration. Null otherwise, and if it is unreadable.',
  },
)

const previewAnswer = {
  200: {
    description: 'The preview.',
    body: Type.Object(
      {
        of: Type.Enum(['example', 'deliveries', 'delivery'], { description: 'What was aggregated.' }),
        sandbox: Flag('Whether they are test deliveries: there is none in production yet.'),
        deliveries: Type.Array(previewedDeliverySchema, {
          description: 'The aggregated deliveries, latest first; the example counts as one.',
        }),
        complete: Flag(
          'False: of the last 20 deliveries, those that are more than 8 MiB or 2 seconds were left out.',
        ),
        rows_read: count('Rows of all of them, including refused ones.'),
        rows_accepted: count('Rows that fit the fields.'),
        rows_refused: count('Rows that do not.'),
        metrics: Type.Array(
          Type.Object(
            {
              metric: Text('The metric key.'),
              aggregation: Type.Enum(aggregationNames, { description: 'How it counts.' }),
              rows_left_out: count(
                'Those that it does not: a condition does not hold, or what is counted is missing.',
              ),
            },
            { title: 'PreviewedMetric' },
          ),
        ),
        samples: Type.Array(
          Type.Object(
            {
              metric: Text('The metric key.'),
              period_start: Day('First day of the period.'),
              value: Text('Exact decimal.'),
              labels: Type.Record(Type.String(), Type.String(), { description: 'Its labels.' }),
              rows: count('Rows behind it.'),
              restated: Flag('For statements: whether more than one of the deliveries covers the period.'),
            },
            { title: 'PreviewedSample' },
          ),
          {
            description:
              'The first 200, newest first. Counted from these deliveries only; earlier ones would add to them.',
          },
        ),
        samples_truncated: Flag('Whether there are more.'),
        compared: OrNull(comparedSchema),
        saving: OrNull(savingSchema),
      },
      { title: 'Preview' },
    ),
  },
}

const previewBody = [{ mediaType: 'application/json', schema: PreviewInput }]

export const previewNewSourceContract = sessionContract({
  operationId: 'previewNewSource',
  summary: 'Preview the samples of an example before its source is created',
  description: `Uses the code that parses deliveries. Nothing is stored. \`example\` is required. ${needsDeveloper}`,
  tags: ['Sources'],
  params: CompanyParams,
  bodies: previewBody,
  responses: previewAnswer,
  errors: [wrongDeclaration, tooLarge, busy],
})

export const previewSourceContract = sessionContract({
  operationId: 'previewSource',
  summary: 'Preview the samples of a declaration before it is saved',
  description:
    'Of the example, or without one of the last 20 deliveries, as rebuilding reads them: checked against the version that ' +
    'each was sent with, counted by the metrics given here. Of one delivery (`artifact_id`) as if it were sent with this ' +
    'declaration; fields that are personal in the version that it was sent with or in the current one stay masked. Nothing ' +
    `is stored. ${needsDeveloper}`,
  tags: ['Sources'],
  params: SourceParams,
  bodies: previewBody,
  responses: previewAnswer,
  errors: [wrongDeclaration, tooLarge, busy],
})
