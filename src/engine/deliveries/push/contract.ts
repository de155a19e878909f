import { Type } from 'typebox'
import { contract } from '../../../platform/http/contract.ts'
import { rowSchema, shapeVersionHeader } from '../intake/contract.ts'
import { bodyBytesMax } from '../intake/delivery.ts'
import { receiptAnswer } from '../store/receipt.ts'
import { formatNames, formats } from '../../formats/formats.ts'

const idempotencyKeySchema = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Names the delivery: sent again with the same body it gives the first receipt, with another body 409 ' +
    '`key_reused`. Unique within the source, test and production apart. At most 200 characters; no NUL; keys that ' +
    'begin with `service:` are reserved.',
})

const deliverySchema = Type.Object(
  {
    idempotency_key: idempotencyKeySchema,
    shape_version: Type.Integer({
      minimum: 1,
      description:
        "The source's shape version that the payload is written against: the current or an older one.",
    }),
    payload: Type.Union([rowSchema, Type.Array(rowSchema)], {
      description: 'One row, or a list of rows; an empty list is a delivery of no rows.',
    }),
  },
  { title: 'Delivery', description: 'One delivery of rows.' },
)

const documentSchema = Type.String({
  contentMediaType: 'application/octet-stream',
  description:
    'A document, as its bytes: CSV (RFC 4180, with `,` or `;`, and a header row that names fields of the source), JSON (an ' +
    'object or a list of objects), JSON lines, each in UTF-8, or SIE 4, in UTF-8 or code page 437, whose rows have ' +
    '`account`, `amount`, `date`, `series`, `number`, `text`, `object` and `credit`. The form is what the source ' +
    'declares, or else found from the first bytes.',
})

/** Headers and body are checked by the route itself, in the order of [push.order]. */
export const ingestContract = contract({
  api: 'public',
  operationId: 'ingest',
  summary: 'Push one delivery',
  description:
    'Send what a system knows: rows as JSON, or a document as the bytes that it is.\n\n' +
    'The delivery is stored as received, and answered once it is on disk; it is parsed afterwards. Send it again with the ' +
    'same key after a time-out, a dropped connection, 429 or 5xx: nothing is stored twice.\n\n' +
    'A body is at most 8,388,608 bytes and is sent without a `Content-Encoding`. A document has its key in ' +
    '`Idempotency-Key`.',
  tags: ['Push'],
  guard: 'bearer',
  permission: 'sources.ingest',
  source: 'required',
  checkedByRoute: true,
  query: Type.Object({
    source_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The source, for a connection bound to none; a bound one may name only its own.',
      }),
    ),
    orgnr: Type.Optional(
      Type.String({ description: 'The company, for a connection that acts on more than one.' }),
    ),
  }),
  headers: Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Required with a document, whose `idempotency_key` it is: UTF-8, sent once. A JSON delivery names its own.',
        examples: ['sales-2026-01-15'],
      }),
    ),
    'X-Service-Shape-Version': shapeVersionHeader,
  }),
  bodies: [
    {
      mediaType: 'application/json',
      schema: deliverySchema,
      examples: {
        row: {
          summary: 'One row',
          value: {
            idempotency_key: 'order-10293',
            shape_version: 1,
            payload: { at: '2026-01-15T09:30:00+01:00', amount: '1249.50', country: 'SE' },
          },
        },
        rows: {
          summary: 'A list of rows',
          value: {
            idempotency_key: 'orders-2026-01-15',
            shape_version: 1,
            payload: [
              { at: '2026-01-15T09:30:00+01:00', amount: '1249.50', country: 'SE' },
              { at: '2026-01-15', amount: '-80.00', country: 'SE' },
            ],
          },
        },
        correction: {
          summary: 'A correction, to a source of events: a row that cancels the wrong one, and the right one',
          value: {
            idempotency_key: 'order-10293-corrected',
            shape_version: 1,
            payload: [
              { at: '2026-01-15T09:30:00+01:00', amount: '-1249.50', country: 'SE' },
              { at: '2026-01-15T09:30:00+01:00', amount: '1294.50', country: 'SE' },
            ],
          },
        },
        statement: {
          summary: 'A statement: the whole of its period so far',
          value: {
            idempotency_key: 'ledger-2026-01-15',
            shape_version: 1,
            payload: [
              { booked: '2026-01-02', account: '3001', amount: '18400.00' },
              { booked: '2026-01-09', account: '3001', amount: '22175.25' },
              { booked: '2026-01-15', account: '3001', amount: '7640.00' },
            ],
          },
        },
      },
    },
    {
      mediaType: 'application/octet-stream',
      schema: documentSchema,
      headers: ['Idempotency-Key'],
      examples: Object.fromEntries(
        formatNames.map((name) => [name, { summary: formats[name].names.en, value: formats[name].example }]),
      ),
    },
  ],
  bodyDescription: 'The delivery, or a document.',
  responses: { 202: receiptAnswer },
  errors: [
    {
      code: 'invalid_argument',
      when:
        'The body is malformed, a member is missing or not of its type, the key or shape version of a document is ' +
        'missing or malformed, or the media type is another; `field` names what to fix. Also a `source_id` that is ' +
        'missing or no UUID, and an `orgnr` that is missing or none.',
      examples: {
        missing: {
          summary: 'No key',
          value: {
            code: 'invalid_argument',
            message:
              'idempotency_key is missing: it is a text that names this delivery, in the outermost object of the body.',
            field: 'idempotency_key',
          },
        },
        broken: {
          summary: 'A broken document',
          value: {
            code: 'invalid_argument',
            message: 'The CSV has a quote on line 2 that is never closed.',
            field: 'body',
          },
        },
      },
    },
    { code: 'webhook_only', when: 'The source takes signed webhooks only.' },
    { code: 'source_paused', when: 'The source is paused and the key is new. Nothing is kept.' },
    { code: 'key_reused', when: 'The key was used for another body. The first delivery is kept.' },
    {
      code: 'invalid_argument',
      status: 413,
      when: 'The body is larger than 8,388,608 bytes. Split it, each part with a key of its own.',
      examples: {
        large: {
          summary: 'Too large',
          value: {
            code: 'invalid_argument',
            message: `The body is larger than ${bodyBytesMax} bytes: split it, and give each part a key of its own.`,
            field: 'body',
          },
        },
      },
    },
  ],
})
