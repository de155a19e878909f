import { Type } from 'typebox'
import { contract } from '../../../platform/http/contract.ts'
import { rowSchema, shapeVersionHeader } from '../intake/contract.ts'
import { bodyBytesMax } from '../intake/delivery.ts'
import { receiptAnswer } from '../store/receipt.ts'

/** Headers and body are checked by the route itself, in the order of [hook.order]. */
export const webhookContract = contract({
  api: 'public',
  operationId: 'deliverWebhook',
  summary: 'Deliver one webhook',
  description:
    'Deliver an event or a batch from a system that signs what it sends.\n\n' +
    'The delivery is stored as received, and answered once it is on disk; it is parsed afterwards. The signature alone ' +
    "opens this address: a connection does not. Rates are the source's: 60 deliveries a minute, burst 20.\n\n" +
    'Do not send again on 2xx, and not unchanged on 400, 401, 404, 409, 413 or 415. On 429 wait `Retry-After` seconds. ' +
    'On 5xx back off from 30 seconds, doubling up to one hour, with jitter, for up to 3 days. Sign each attempt again ' +
    'and keep the delivery id.\n\n' +
    "Two byte-identical bodies are one delivery even under different ids: put the event's own id or time into the body.",
  tags: ['Webhooks'],
  guard: 'signature',
  metered: true,
  checkedByRoute: true,
  params: Type.Object({
    source_id: Type.String({
      format: 'uuid',
      description: 'The webhook source.',
      examples: ['01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10'],
    }),
  }),
  headers: Type.Object({
    'Service-Signature': Type.String({
      pattern: '^t=[0-9]{1,15},v1=[0-9a-f]{64}$',
      description:
        '`t=<unix seconds>,v1=<hex>`: the lower-case hex HMAC-SHA256 of `<t>.<delivery id>.<raw body>`, keyed with the ' +
        'signing secret exactly as shown, prefix included. At most 300 seconds from the clock of the service.',
      examples: ['t=1767225600,v1=83c53d5a024c29abf4bac4d22157324a9824e0fdf4bf3a48910a8f2f600818d7'],
    }),
    'Service-Delivery-Id': Type.String({
      pattern: '^[A-Za-z0-9_:-]{1,200}$',
      description:
        "The sender's id of the delivery, and its idempotency key: sent again with the same body it gives the first " +
        'receipt, however late; with another body 409 `key_reused`. Ids that begin with `service:` are reserved.',
      examples: ['order:1001'],
    }),
    'X-Service-Shape-Version': shapeVersionHeader,
  }),
  bodies: [
    {
      mediaType: 'application/json',
      schema: Type.Union([rowSchema, Type.Array(rowSchema)], {
        description: 'One row, or a list of rows; an empty list is a delivery of no rows.',
      }),
      examples: {
        row: {
          summary: 'One row',
          value: { at: '2026-01-15T09:30:00+01:00', amount: '1249.50', country: 'SE' },
        },
        rows: {
          summary: 'A list of rows',
          value: [
            { at: '2026-01-15T09:30:00+01:00', amount: '1249.50', country: 'SE' },
            { at: '2026-01-15', amount: '-80.00', country: 'SE' },
          ],
        },
      },
    },
    {
      mediaType: 'text/csv',
      schema: Type.String({
        description:
          'RFC 4180 in UTF-8: a header row that names fields of the source, then a row for each record, with `,` or `;`.',
      }),
      examples: {
        rows: {
          summary: 'Two records',
          value: 'at,amount,country\r\n2026-01-15T09:30:00+01:00,1249.50,SE\r\n2026-01-15,-80.00,SE\r\n',
        },
      },
    },
  ],
  bodyDescription:
    'The body, of at most 8,388,608 bytes, without a `Content-Encoding`. Stored as it arrived less undeclared keys or ' +
    'columns.',
  responses: { 202: receiptAnswer },
  errors: [
    {
      code: 'invalid_argument',
      when:
        '`field` names what to fix: the signature header or the delivery id is malformed, the time of the signature is ' +
        'more than 300 seconds from the clock of the service, the shape version is none of the source, or the body is ' +
        'malformed.',
      examples: {
        clock: {
          summary: 'Signed too long ago',
          value: {
            code: 'invalid_argument',
            message:
              "The time in Service-Signature is 601 seconds behind the service's clock, and may differ by 300: sign each attempt with its own time.",
            field: 'Service-Signature',
          },
        },
      },
    },
    {
      code: 'unauthenticated',
      when: 'There is no signature header.',
      headers: {
        'WWW-Authenticate': {
          description: 'The scheme `Service-Signature`.',
          schema: Type.Literal('Service-Signature'),
          required: true,
        },
      },
      examples: {
        unsigned: {
          summary: 'Not signed',
          value: {
            code: 'unauthenticated',
            message:
              'Service-Signature is missing: a webhook is signed, and no credential opens this address.',
          },
        },
      },
    },
    {
      code: 'not_found',
      when:
        'No webhook source accepts that address and signature: there is no such source, it is no webhook source, or ' +
        'the secret is another. The three are not told apart.',
      examples: {
        closed: {
          summary: 'No such source, or another signature',
          value: {
            code: 'not_found',
            message:
              'No webhook source accepts this address with this signature: compare the address, the secret and the exact bytes that were signed.',
          },
        },
      },
    },
    { code: 'source_paused', when: 'The source is paused, and id and body are new. Nothing is kept.' },
    {
      code: 'key_reused',
      when: 'The delivery id was used for another body. The first delivery is kept.',
    },
    {
      code: 'too_large',
      when: 'The body is larger than 8,388,608 bytes.',
      examples: {
        large: {
          summary: 'Too large',
          value: {
            code: 'too_large',
            message: `The body is larger than ${bodyBytesMax} bytes: split it, and give each part a delivery id of its own.`,
            field: 'body',
          },
        },
      },
    },
    { code: 'unsupported_media_type', when: 'The body is neither JSON nor CSV, or not in UTF-8.' },
    {
      code: 'rate_limited',
      when:
        'The source took more than its rate, or too many attempts from this client network failed (120, and one more ' +
        'a second). Wait as long as `Retry-After` says.',
    },
  ],
})
