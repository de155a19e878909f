import { Type } from 'typebox'
import { CompanyParams, DateTime, NextCursor, OrNull, PageQuery, Uuid } from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'
import { refusalSchema, samplesSchema } from '../samples/contract.ts'
import { SourceParams } from '../sources/contract.ts'
import { deliveryModes } from '../sources/declaration.ts'

const TestData = Type.Optional(
  Type.Enum(['true', 'false'], {
    description: 'Whether test deliveries are meant; production ones unless said.',
  }),
)

function Rows(description: string) {
  return OrNull(Type.Integer({ description: `${description} Null while it is queued.` }))
}

const deliveryFields = {
  artifact_id: Uuid('The delivery.'),
  source_id: Uuid('Its source.'),
  sandbox: Type.Boolean({ description: 'Whether it is test data.' }),
  received_at: DateTime('When it was received.'),
  shape_version: Type.Integer({ description: 'The version that it is parsed under.' }),
  delivers: Type.Enum([...deliveryModes], { description: 'What the source delivered when it was received.' }),
  dropped_keys: Type.Array(Type.String(), { description: 'Undeclared keys that were not kept, at most 50.' }),
  content_bytes: Type.Integer({ description: 'Size of what is kept.' }),
  state: Type.Enum(['queued', 'parsed', 'unreadable'], {
    description: '`unreadable`: stored, but its content is broken, and no row counts.',
  }),
  reason: OrNull(Type.String({ description: 'Why it is unreadable.' })),
  rows_accepted: Rows('Rows that count.'),
  rows_refused: Rows('Rows that do not fit the fields.'),
  rows_date_alone: Rows('Accepted rows of which some timestamp was a date alone.'),
}

const deliveryReportSchema = Type.Object(deliveryFields, { title: 'DeliveryReport' })

const deliveryReportInFullSchema = Type.Object(
  {
    ...deliveryFields,
    refusals: Type.Array(refusalSchema, { description: 'The first 100 refused rows.' }),
  },
  { title: 'DeliveryReportInFull' },
)

const needsDeveloper = 'Needs the role `developer`.'

export const readReportContract = contract({
  api: 'console',
  operationId: 'readReport',
  summary: 'Read the samples of a source',
  description:
    'As `GET /v1/samples` answers: production samples of the window, newest first. For every member.',
  tags: ['Reports'],
  guard: 'session',
  params: SourceParams,
  query: Type.Object({
    from: Type.Optional(
      Type.String({ format: 'date', description: 'First day; unset: as far back as it reaches.' }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date', description: 'The day after the last; unset: tomorrow.' }),
    ),
    metric: Type.Optional(Type.String({ maxLength: 100, description: 'Only this metric’s samples.' })),
  }),
  responses: { 200: { description: 'The samples.', body: samplesSchema } },
  errors: [
    {
      code: 'invalid_argument',
      when: '`from` or `to` is no day, `from` is not before `to`, or `metric` is no text that could be one.',
    },
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
  query: Type.Object({ ...PageQuery.properties, sandbox: TestData }),
  responses: {
    200: {
      description: 'One for each source.',
      body: Type.Object(
        { deliveries: Type.Array(deliveryReportSchema), next_cursor: NextCursor },
        { title: 'LastDeliveries' },
      ),
    },
  },
})

export const listDeliveriesContract = contract({
  api: 'console',
  operationId: 'listDeliveries',
  summary: 'List the deliveries of a source',
  description: `The latest first. ${needsDeveloper}`,
  tags: ['Developer page'],
  guard: 'session',
  params: SourceParams,
  query: Type.Object({ ...PageQuery.properties, sandbox: TestData }),
  responses: {
    200: {
      description: 'The deliveries.',
      body: Type.Object(
        { deliveries: Type.Array(deliveryReportSchema), next_cursor: NextCursor },
        { title: 'DeliveryList' },
      ),
    },
  },
})

export const showDeliveryReportContract = contract({
  api: 'console',
  operationId: 'showDeliveryReport',
  summary: 'Show what became of a delivery',
  description: `With its first 100 refused rows; values are never said. ${needsDeveloper}`,
  tags: ['Developer page'],
  guard: 'session',
  params: Type.Object({ company_id: Uuid('The company.'), artifact_id: Uuid('The delivery.') }),
  responses: { 200: { description: 'The delivery.', body: deliveryReportInFullSchema } },
})
