import { formatNames } from '../../engine/formats/formats.ts'
import { Type } from 'typebox'
import { DateTime, OrNull, Uuid } from '../../platform/http/console-schemas.ts'
import { aggregationDescription, aggregationNames } from '../../engine/aggregations/aggregations.ts'
import { fieldsMax, filtersMax, inValuesMax, labelsMax } from '../../engine/declarations/check-declaration.ts'
import { comparisons, deliveryModes } from '../../engine/declarations/declaration.ts'
import { fieldTypes } from '../../engine/fields/field-value.ts'
import { periods } from '../../formats/values/period.ts'
import { deliveryChannels } from './source.ts'

const strict = { additionalProperties: false }

const fieldSchema = Type.Object(
  {
    name: Type.String({ description: 'As the key of a row; 1 to 100 characters.' }),
    type: Type.Enum([...fieldTypes], { description: 'How a value is read.' }),
    personal: Type.Boolean({
      description: 'May be filtered on and counted distinct; never grouped by and never in a sample.',
    }),
  },
  { ...strict, title: 'Field' },
)

const filterSchema = Type.Union(
  [
    Type.Object(
      {
        field: Type.String({ description: 'A declared field.' }),
        comparison: Type.Enum(
          comparisons.filter((each) => each !== 'in'),
          { description: 'How it is compared.' },
        ),
        value: Type.String({ description: 'Read by the field’s type.' }),
      },
      strict,
    ),
    Type.Object(
      {
        field: Type.String({ description: 'A declared field.' }),
        comparison: Type.Enum(['in'], { description: 'One of the values.' }),
        values: Type.Array(Type.String(), {
          minItems: 1,
          maxItems: inValuesMax,
          description: 'Read by the field’s type.',
        }),
      },
      strict,
    ),
  ],
  { title: 'Filter', description: 'A row counts if every filter of a metric matches.' },
)

export const metricSchema = Type.Object(
  {
    metric: Type.String({ description: 'A known metric key, at most once on a source.' }),
    aggregation: Type.Enum(aggregationNames, { description: aggregationDescription }),
    field: Type.Optional(Type.String({ description: 'The field counted; only `count` does without.' })),
    times: Type.Optional(
      Type.String({ description: 'With `sum`: the second factor of the product summed.' }),
    ),
    filters: Type.Array(filterSchema, { maxItems: filtersMax, description: 'Which rows count.' }),
    group_by: Type.Array(Type.String(), {
      maxItems: labelsMax,
      description: 'The fields whose values are the labels; no personal one.',
    }),
    period: Type.Enum([...periods], { description: 'In the company’s time zone; a week begins on Monday.' }),
  },
  { ...strict, title: 'Metric' },
)

/** The members of a declaration. */
export const declarationFields = {
  fields: Type.Array(fieldSchema, {
    minItems: 1,
    maxItems: fieldsMax,
    description: 'What is stored of a delivery.',
  }),
  event_time: Type.String({
    description:
      'The timestamp field that each row’s day is read from, for stored deliveries too if their version declares it ' +
      'as a timestamp. Otherwise they keep their own version’s.',
  }),
  metrics: Type.Array(metricSchema, { maxItems: 100, description: 'What is counted from the fields.' }),
  delivers: Type.Enum([...deliveryModes], {
    description: 'Whether a delivery’s rows are added, or replace earlier statements about their periods.',
  }),
}

export const settingFields = {
  name: Type.String({ description: 'At most 100 characters.' }),
  system_kind: Type.String({ description: 'A label of the company’s own choosing, such as `web shop`.' }),
  channel: Type.Enum([...deliveryChannels], { description: 'A webhook source accepts no pushes.' }),
  format: OrNull(
    Type.Enum(formatNames, {
      description: 'The format of its documents; null to detect it.',
    }),
  ),
}

/** What `numera source add --file` reads, and the body of `createSource`. */
export const NewSource = Type.Object(
  {
    name: settingFields.name,
    system_kind: settingFields.system_kind,
    channel: Type.Optional(settingFields.channel),
    format: Type.Optional(settingFields.format),
    ...declarationFields,
  },
  { ...strict, title: 'NewSource' },
)

/** A member as others see them, or null. */
export function NamedMember(description: string) {
  return OrNull(
    Type.Object(
      {
        member_id: Uuid('The member.'),
        name: OrNull(Type.String({ description: 'Their name; null until they have signed in.' })),
      },
      { description },
    ),
  )
}

export const sourceFields = {
  source_id: Uuid('The source.'),
  ...settingFields,
  shape_version: Type.Integer({ minimum: 1, description: 'The current one.' }),
  revision: Type.Integer({
    minimum: 1,
    description: 'Increases with every change of its settings or its declaration; `saveSource` compares it.',
  }),
  delivers: declarationFields.delivers,
  state: Type.Enum(['active', 'paused'], { description: 'A paused source accepts no new deliveries.' }),
  paused_at: OrNull(DateTime('Since when it is paused.')),
  paused_by: NamedMember('Who paused it; null while it is active, and if the operator did.'),
  pause_reason: OrNull(Type.String({ description: 'Why, in the words of the member who paused it.' })),
  created_at: DateTime('When it was created.'),
  signing_secret_created_at: OrNull(
    DateTime('For a webhook source: when its current signing secret was created.'),
  ),
  previous_signing_secret_ends_at: OrNull(
    DateTime('When the previous signing secret ends after a rotation.'),
  ),
}

export const sourceSchema = Type.Object(sourceFields, { title: 'Source' })

export const SigningSecret = Type.String({
  description: 'What the sender signs with, including the prefix `nws_`. Returned only here.',
})

export const createdSourceSchema = Type.Object(
  { ...sourceFields, signing_secret: Type.Optional(SigningSecret) },
  { title: 'CreatedSource', description: 'With a signing secret if this call created one.' },
)

export const shapeVersionSchema = Type.Object(
  {
    shape_version: Type.Integer({ minimum: 1, description: 'Numbered from 1.' }),
    ...declarationFields,
    saved_by: NamedMember('Who saved it; null if the operator did.'),
    saved_at: DateTime('When.'),
  },
  { title: 'ShapeVersion' },
)

const wholeNumber = { minimum: 0 }

function createRowsSchema(description: string) {
  return OrNull(Type.Integer({ ...wholeNumber, description: `${description} Null while it is queued.` }))
}

export const activitySchema = Type.Object(
  {
    last_delivery: OrNull(
      Type.Object(
        {
          artifact_id: Uuid('The delivery.'),
          idempotency_key: Type.String({
            description: 'Its idempotency key, or the delivery id of a webhook.',
          }),
          received_at: DateTime('When it was received.'),
          sandbox: Type.Boolean({
            description: 'Whether it is a test delivery: there is none in production yet.',
          }),
          state: Type.Enum(['queued', 'parsed', 'unreadable'], { description: 'Its state.' }),
          rows_accepted: createRowsSchema('Rows that count.'),
          rows_refused: createRowsSchema('Rows that do not fit the fields.'),
          rows_date_alone: createRowsSchema('Accepted rows with a timestamp that is a date without a time.'),
        },
        {
          title: 'LastDelivery',
          description: 'The last production delivery; without any, the last test delivery.',
        },
      ),
    ),
    freshness: Type.Object(
      {
        last_received_at: OrNull(DateTime('When the last delivery in production was received.')),
        usual_seconds: OrNull(
          Type.Integer({
            ...wholeNumber,
            description:
              'The usual time between deliveries: the median of the gaps of at least a minute among the last 20 in ' +
              'production. Null if there are fewer than three.',
          }),
        ),
        late: Type.Boolean({
          description:
            'Whether three times that has passed without a delivery. Never true while it is paused.',
        }),
      },
      { title: 'Freshness' },
    ),
    rebuild: OrNull(
      Type.Object(
        {
          state: Type.Enum(['waiting', 'counting', 'parsing'], {
            description:
              '`waiting`: other sources of the company come first; `counting`: `total` still grows; `parsing`: it is final.',
          }),
          done: OrNull(
            Type.Integer({
              ...wholeNumber,
              description: 'Parsed deliveries. Null while more are waiting than are counted (50,000).',
            }),
          ),
          total: Type.Integer({ ...wholeNumber, description: 'Deliveries to parse.' }),
          seconds_left: OrNull(
            Type.Integer({
              ...wholeNumber,
              description:
                'Estimated time for the rest, at the recent pace. Null while unknown: in the first seconds, ' +
                'while `total` grows or `done` is unknown, and if all waiting deliveries have failed before.',
            }),
          ),
        },
        { title: 'RebuildProgress', description: 'Null if none is in progress.' },
      ),
    ),
  },
  { title: 'SourceActivity' },
)

/** The stored deliveries of a source. */
export const storedDeliveriesSchema = Type.Object(
  {
    deliveries: Type.Integer({ ...wholeNumber, description: 'Including test deliveries.' }),
    content_bytes: Type.Integer({ ...wholeNumber, description: 'Their content before compression.' }),
    more: Type.Boolean({ description: 'Whether there are more than are counted (50,000).' }),
  },
  { title: 'StoredDeliveries' },
)
