import { Type } from 'typebox'
import { contract } from '../../../platform/http/contract.ts'
import { Flag, OrNull, Text, Whole } from '../../../platform/http/console-schemas.ts'
import { formatNames } from '../../../engine/formats/formats.ts'
import { refusalReasons } from '../../../engine/parsing/plan/refusal.ts'
import { ingestContract } from '../../../engine/deliveries/push/contract.ts'
import { droppedKeysMax } from '../../../engine/formats/dropped-keys.ts'
import { farAheadSchema, refusalSchema, remarkFields } from '../../../engine/samples/delivery-contract.ts'
import { delivers } from '../../../engine/samples/parameters.ts'

function rows(description: string) {
  return OrNull(Whole(`${description} Null for a body that cannot be read.`))
}

const refusalOfPush = Type.Object(
  {
    status: Type.Enum([400, 409, 413], { description: 'The status of the answer.' }),
    code: Text('As in the error.'),
    message: Text('As in the error.'),
    field: Type.Optional(Text('As in the error.')),
  },
  { title: 'PushRefusal', additionalProperties: false },
)

const example = {
  outcome: 'accepted',
  refusal: null,
  shape_version: 1,
  format: 'json',
  delivers: 'events',
  sandbox: false,
  dropped_keys: ['internal_note'],
  state: 'parsed',
  reason: null,
  rows_accepted: 2,
  rows_refused: 1,
  rows_date_alone: 0,
  missing_values: [],
  rows_far_ahead: 0,
  far_ahead: [],
  refusals: [{ row: 3, field: 'amount', code: 'number_malformed', reason: refusalReasons.number_malformed }],
}

const { query, headers, bodies } = ingestContract as Required<typeof ingestContract>

export const checkPushContract = contract({
  api: 'public',
  operationId: 'checkPush',
  summary: 'Check a push without sending it',
  description:
    'Find out what a push would be answered, and which of its rows would count, before it is sent.\n\n' +
    'Takes what `POST /v1/ingest` takes, and parses it as it would be parsed. Nothing is stored and no key is used. A call ' +
    'counts against the rate as a push does, and a connection has one check at a time. The answer holds no value of a row.',
  tags: ['Push'],
  addition: true,
  guard: 'bearer',
  permission: 'sources.ingest',
  source: 'required',
  checkedByRoute: true,
  query,
  headers,
  bodies,
  bodyDescription: 'The delivery, or a document, as it would be pushed.',
  responses: {
    200: {
      description: 'What the push would do.',
      body: Type.Object(
        {
          outcome: Type.Enum(['accepted', 'replayed', 'refused'], {
            description:
              '`accepted`: it would be stored. `replayed`: this delivery is stored already, and its first receipt would be the ' +
              'answer. `refused`: it would be answered with `refusal`.',
          }),
          refusal: Type.Union([refusalOfPush, Type.Null()], {
            description: 'The error that the push would get; null otherwise.',
          }),
          shape_version: OrNull(Whole('The version that it would be parsed under.')),
          format: Type.Union([Type.Enum(formatNames), Type.Null()], {
            description: 'The format of its rows.',
          }),
          delivers,
          sandbox: Flag('Whether it would be test data.'),
          dropped_keys: Type.Array(Type.String(), {
            maxItems: droppedKeysMax,
            description: 'Undeclared keys that would not be kept, as in a receipt.',
          }),
          state: Type.Union([Type.Enum(['parsed', 'unreadable']), Type.Null()], {
            description:
              '`unreadable`: its content is broken, and no row would count. Null for a body that cannot be read.',
          }),
          reason: OrNull(Text('Why it is unreadable; null otherwise.')),
          rows_accepted: rows('Rows that would count.'),
          rows_refused: rows('Rows that do not fit the fields.'),
          rows_date_alone: rows('Accepted rows of which some timestamp is a date alone.'),
          ...remarkFields,
          far_ahead: farAheadSchema,
          refusals: Type.Array(refusalSchema, { description: 'The first 100 refused rows.' }),
        },
        { title: 'PushCheck', additionalProperties: false },
      ),
      examples: {
        accepted: { summary: 'Would be stored; one row would be refused', value: example },
        paused: {
          summary: 'Would be refused: the source is paused',
          value: {
            ...example,
            outcome: 'refused',
            refusal: {
              status: 409,
              code: 'source_paused',
              message: 'The source is paused: nothing was kept. Send it again once it is resumed.',
            },
          },
        },
      },
    },
  },
  errors: [
    { code: 'invalid_argument', when: '`source_id` or `orgnr` is missing or malformed.' },
    { code: 'webhook_only', when: 'The source takes signed webhooks only.' },
    { code: 'too_large', when: 'Parsing it takes more memory than a check may use.' },
    { code: 'rate_limited', when: 'The rate is used up, or the connection has another check under way.' },
    {
      code: 'internal',
      status: 503,
      when: 'Too many checks and previews of the company are waiting, or it took too long.',
    },
  ],
})
