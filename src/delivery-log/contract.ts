import { Type } from 'typebox'
import { CompanyParams, DateTime, NextCursor, OrNull, PageQuery, Uuid } from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'
import { refusalReasons } from '../parsing/plan/refusal.ts'
import { farAheadSchema, refusalSchema, remarkFields } from '../samples/contract.ts'
import { deliveryModes, fieldTypes } from '../sources/declaration.ts'
import { deliveryChannels, documentFormats } from '../sources/source.ts'
import { countedMax, searchCharactersMax } from './delivery-filter.ts'
import { shownCharactersMax } from './shown-rows.ts'

const needsDeveloper = 'Needs the role `developer`.'

const noCompany = {
  code: 'not_found',
  when: 'There is no such company for the member.',
} as const
const noDelivery = {
  code: 'not_found',
  when: 'There is no such company for the member, or the company has no such delivery.',
} as const

/** For pages that ask again and again. */
const entityTag = {
  ETag: {
    description:
      'Send it as `If-None-Match`: unless a delivery has come or one was parsed since, the answer is an empty 304.',
    schema: Type.String(),
  },
}
const notModified = {
  description: 'Nothing has changed since the answer whose tag was sent as `If-None-Match`.',
}

function Rows(description: string) {
  return OrNull(Type.Integer({ description: `${description} Null while it is queued.` }))
}

function Flag(description: string) {
  return Type.Optional(Type.Enum(['true', 'false'], { description }))
}

function Decimal(description: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description })
}

const connectionSchema = Type.Object(
  {
    connection_id: Uuid('The connection.'),
    name: Type.String({ description: 'Its name.' }),
  },
  {
    title: 'DeliveryConnection',
    description: 'The connection that it came over. Null for a webhook, and where it is another company’s.',
  },
)

const deliveryFields = {
  artifact_id: Uuid('The delivery.'),
  source_id: Uuid('Its source.'),
  channel: Type.Enum([...deliveryChannels], { description: 'How it came.' }),
  format: Type.Enum([...documentFormats], { description: 'What is kept is written in it.' }),
  key: Type.String({ description: 'Its idempotency key, or the delivery id of a webhook.' }),
  connection: OrNull(connectionSchema),
  sandbox: Type.Boolean({ description: 'Whether it is test data.' }),
  received_at: DateTime('When it was received.'),
  shape_version: Type.Integer({ description: 'The version that it is parsed under.' }),
  delivers: Type.Enum([...deliveryModes], { description: 'What the source delivered when it was received.' }),
  content_bytes: Type.Integer({ description: 'Size of what is kept.' }),
  state: Type.Enum(['queued', 'parsed', 'unreadable'], {
    description: '`unreadable`: stored, but its content is broken, and no row counts.',
  }),
  reason: OrNull(Type.String({ description: 'Why it is unreadable.' })),
  rows_accepted: Rows('Rows that count.'),
  rows_refused: Rows('Rows that do not fit the fields.'),
  rows_date_alone: Rows('Accepted rows of which some timestamp was a date alone.'),
  ...remarkFields,
}

const deliveryReportSchema = Type.Object(deliveryFields, { title: 'DeliveryReport' })

const deliveryReportInFullSchema = Type.Object(
  {
    ...deliveryFields,
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the body as it was received.',
    }),
    dropped_keys: Type.Array(Type.String(), {
      description: 'Undeclared keys that were not kept, at most 50.',
    }),
    parsed_at: OrNull(DateTime('When it was parsed. Null while it is queued.')),
    refusals: Type.Array(refusalSchema, { description: 'The first 100 refused rows.' }),
    far_ahead: farAheadSchema,
    older_artifact_id: OrNull(
      Uuid('The delivery before it of the same source, test or production as it is.'),
    ),
    newer_artifact_id: OrNull(Uuid('The one after it.')),
  },
  { title: 'DeliveryReportInFull' },
)

const countSchema = Type.Object(
  {
    deliveries: Type.Integer({ description: `How many there are, at most ${countedMax}.` }),
    more: Type.Boolean({ description: 'Whether there are more than were counted.' }),
  },
  { title: 'DeliveryCount' },
)

export const listDeliveriesContract = contract({
  api: 'console',
  operationId: 'listDeliveries',
  summary: 'List the deliveries of the company',
  description:
    'Of every source, test and production, the latest first; every filter narrows. A filter that hardly a delivery passes ' +
    'is looked for in steps: a page may then be shorter than `limit`, even empty, while `next_cursor` leads on. ' +
    `\`searched_to\` says how far back it has looked. ${needsDeveloper}`,
  tags: ['Developer page'],
  guard: 'session',
  params: CompanyParams,
  query: Type.Object({
    ...PageQuery.properties,
    source: Type.Optional(Uuid('Only of this source.')),
    state: Type.Optional(
      Type.Enum(['queued', 'parsed', 'unreadable', 'refused'], {
        description: 'Only in this state; `refused`: parsed, with refused rows.',
      }),
    ),
    channel: Type.Optional(Type.Enum([...deliveryChannels], { description: 'Only what came this way.' })),
    sandbox: Flag('Only test deliveries, or only production ones; both unless said.'),
    from: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Only received at this instant (RFC 3339 with an offset) or later; a day is its midnight in the company’s time zone.',
      }),
    ),
    to: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Only received before; likewise. A day is left out itself.',
      }),
    ),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: searchCharactersMax,
        description: 'Only the delivery of this `artifact_id`, and those whose key begins with this text.',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The deliveries.',
      headers: entityTag,
      body: Type.Object(
        {
          deliveries: Type.Array(deliveryReportSchema),
          count: OrNull(countSchema),
          searched_to: OrNull(
            DateTime('Where the search ended before the page was full: nothing received later is left out.'),
          ),
          next_cursor: NextCursor,
        },
        {
          title: 'DeliveryList',
          description: '`count` is of all pages, and comes with the first; null on the others.',
        },
      ),
    },
    304: notModified,
  },
  errors: [
    {
      code: 'invalid_argument',
      when: 'A filter, `cursor` or `limit` is not as described; `field` names it.',
    },
    noCompany,
  ],
})

export const listLastDeliveriesContract = contract({
  api: 'console',
  operationId: 'listLastDeliveries',
  summary: 'The last delivery of each source',
  description:
    'How many of its rows were refused, and how many were read from a date alone: the top of the developer page. ' +
    `Sources without a delivery are left out. ${needsDeveloper}`,
  tags: ['Developer page'],
  guard: 'session',
  params: CompanyParams,
  query: Type.Object({
    ...PageQuery.properties,
    sandbox: Flag('Whether test deliveries are meant; production ones unless said.'),
  }),
  responses: {
    200: {
      description: 'One for each source.',
      headers: entityTag,
      body: Type.Object(
        { deliveries: Type.Array(deliveryReportSchema), next_cursor: NextCursor },
        { title: 'LastDeliveries' },
      ),
    },
    304: notModified,
  },
  errors: [noCompany],
})

export const watchDeliveriesContract = contract({
  api: 'console',
  operationId: 'watchDeliveries',
  summary: 'Be told when deliveries come or are parsed',
  description:
    'Server-sent events, for `EventSource`: an event `change` at once and within two seconds of each change, a refused call ' +
    'among them, whose data is the `ETag` that the lists of deliveries have from then on. Read them anew where yours is ' +
    'another. An event `here` every second says that the stream is still there. It ends, within seconds, where the ' +
    `session or the role does. Of one member ten are open; a further one ends the oldest. ${needsDeveloper}`,
  tags: ['Developer page'],
  guard: 'session',
  params: CompanyParams,
  responses: {
    200: {
      description: 'The stream.',
      mediaType: 'text/event-stream',
      body: Type.String({ description: 'Events, for as long as the page is open.' }),
    },
  },
  errors: [
    { code: 'invalid_argument', when: '`Accept` does not name `text/event-stream`.' },
    noCompany,
    { code: 'internal', status: 503, when: 'Too many pages are open. Ask with `If-None-Match` meanwhile.' },
  ],
})

const DeliveryParams = Type.Object({ company_id: Uuid('The company.'), artifact_id: Uuid('The delivery.') })

export const showDeliveryReportContract = contract({
  api: 'console',
  operationId: 'showDeliveryReport',
  summary: 'Show what became of a delivery',
  description: `With its first 100 refused rows; values are never said. ${needsDeveloper}`,
  tags: ['Developer page'],
  guard: 'session',
  params: DeliveryParams,
  responses: { 200: { description: 'The delivery.', body: deliveryReportInFullSchema } },
  errors: [noDelivery],
})

const valueSchema = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        description: `What stands there, its first ${shownCharactersMax} characters; of an object or a list its JSON.`,
      }),
    ),
    characters: Type.Optional(Type.Integer({ description: 'How long it is, where it was cut.' })),
    masked: Type.Optional(
      Type.Literal(true, {
        description:
          'The field is personal, or something inside of the value is named like one: it is not said.',
      }),
    ),
    broken: Type.Optional(
      Type.Literal(true, { description: 'Bytes of it are no UTF-8; U+FFFD stands in their place.' }),
    ),
  },
  { title: 'ShownValue' },
)

const shownRowSchema = Type.Object(
  {
    row: Type.Integer({ description: "The row's number in the delivery, from 1." }),
    line: OrNull(Type.Integer({ description: 'The line it begins on; null for JSON.' })),
    values: OrNull(
      Type.Array(OrNull(valueSchema), {
        description: 'A value for each of `fields`; null where it is missing.',
      }),
    ),
    cells: OrNull(
      Type.Integer({
        description:
          'How many cells a record has that has not one for each column: its `values` are null, since it cannot be told ' +
          'which of them is personal.',
      }),
    ),
    refusal: OrNull(
      Type.Object(
        {
          field: OrNull(Type.String({ description: 'The field concerned; null where it is the whole row.' })),
          code: Type.Enum(Object.keys(refusalReasons), { description: 'Short machine-readable reason.' }),
          reason: Type.String({ description: 'The reason as a sentence.' }),
        },
        { title: 'RowRefusal' },
      ),
    ),
  },
  { title: 'ShownRow', description: 'A row as it is kept.' },
)

export const showDeliveryRowsContract = contract({
  api: 'console',
  operationId: 'showDeliveryRows',
  summary: 'Show the rows of a delivery as they are kept',
  description:
    'In their order. A field that is personal by the version of the delivery or by the current one is masked, whatever the case ' +
    'of its name, and so is an object or a list that holds something of that name. Content that ' +
    `is broken is shown as far as it can be read. ${needsDeveloper}`,
  tags: ['Developer page'],
  guard: 'session',
  params: DeliveryParams,
  query: Type.Object({
    ...PageQuery.properties,
    refused: Flag('Only the refused rows, as far as they are known.'),
  }),
  responses: {
    200: {
      description: 'The rows.',
      body: Type.Object(
        {
          fields: Type.Array(
            Type.Object(
              {
                name: Type.String({ description: 'Its name.' }),
                type: Type.Enum([...fieldTypes], { description: 'Its type.' }),
                personal: Type.Boolean({ description: 'Whether its values are masked here.' }),
              },
              { title: 'ShownField' },
            ),
            { description: 'Those of the version that the delivery is parsed under.' },
          ),
          rows: Type.Array(shownRowSchema),
          refusals_known_to: OrNull(
            Type.Integer({
              description:
                'Refused rows behind this one are not told: only the first 100 are. Null: all are.',
            }),
          ),
          broken: OrNull(
            Type.Object(
              {
                row: Type.Integer({ description: 'The row that cannot be read, nor those behind it.' }),
                reason: Type.String({ description: 'Why, as a sentence.' }),
              },
              { title: 'BrokenRow' },
            ),
          ),
          next_cursor: NextCursor,
        },
        { title: 'DeliveryRows' },
      ),
    },
  },
  errors: [noDelivery],
})

const changedSampleSchema = Type.Object(
  {
    metric: Type.String({ description: 'The metric.' }),
    period: Type.Enum(['day', 'week', 'month'], { description: 'The length of the period.' }),
    period_start: Type.String({ format: 'date', description: 'Its first day.' }),
    labels: Type.Record(Type.String(), Type.String(), { description: 'The label set.' }),
    before: OrNull(Decimal('As it read from the deliveries before it; null where there was none.')),
    gave: OrNull(
      Decimal(
        'What its rows come to by themselves: their sum, their number, how many different values. Null where a statement says ' +
          'nothing of it any more, and took it away.',
      ),
    ),
    rows: Type.Integer({ description: 'Its rows behind that.' }),
    added: OrNull(
      Type.Integer({
        description: 'Of a distinct count of events: how many values no delivery before it had.',
      }),
    ),
    after: OrNull(Decimal('As it read from the deliveries up to it; null where it took it away.')),
    superseded: Type.Boolean({ description: 'Whether a later statement took its place.' }),
  },
  { title: 'ChangedSample' },
)

export const listChangedSamplesContract = contract({
  api: 'console',
  operationId: 'listChangedSamples',
  summary: 'List the samples that a delivery changed',
  description:
    'Newest period first, then by metric and labels; by the metrics that are read now, in the order in which deliveries ' +
    'were received. Behind them those that a statement took away, as it says nothing of them any more. None while it is ' +
    `queued, and of one that is unreadable. ${needsDeveloper}`,
  tags: ['Developer page'],
  guard: 'session',
  params: DeliveryParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The samples.',
      body: Type.Object(
        {
          samples: Type.Array(changedSampleSchema),
          count: Type.Integer({ description: 'How many there are, of all pages.' }),
          next_cursor: NextCursor,
        },
        { title: 'ChangedSamples' },
      ),
    },
  },
  errors: [noDelivery],
})
