import { Type } from 'typebox'
import {
  Day,
  Decimal,
  Flag,
  ListPage,
  OrNull,
  PageQuery,
  Text,
  Whole,
} from '../../../platform/http/console-schemas.ts'
import { sessionContract } from '../../../platform/http/contract.ts'
import { refusalReasons } from '../../../engine/parsing/plan/refusal.ts'
import { fieldTypes } from '../../../engine/fields/field-value.ts'
import { periods } from '../../../formats/values/period.ts'
import { DeliveryParams, needsDeveloper, noDelivery, TrueOrFalse } from '../contract.ts'
import { shownCharactersMax } from './shown-rows.ts'

const valueSchema = Type.Object(
  {
    text: Type.Optional(
      Text(`The value, its first ${shownCharactersMax} characters; for an object or a list its JSON.`),
    ),
    characters: Type.Optional(Whole('How long it is, if it was cut.')),
    masked: Type.Optional(
      Type.Literal(true, {
        description: 'The field is personal, or something inside the value is named like a personal field.',
      }),
    ),
    broken: Type.Optional(
      Type.Literal(true, { description: 'Some bytes are not UTF-8; U+FFFD replaces them.' }),
    ),
  },
  { title: 'ShownValue' },
)

export const shownFieldSchema = Type.Object(
  {
    name: Text('Its name.'),
    type: Type.Enum([...fieldTypes], { description: 'Its type.' }),
    personal: Flag('Whether its values are masked here.'),
  },
  { title: 'ShownField' },
)

/** A row as it is stored. */
export const shownRowFields = {
  row: Whole("The row's number in the delivery, from 1."),
  line: OrNull(Whole('The line it begins on; null for JSON.')),
  values: OrNull(
    Type.Array(OrNull(valueSchema), { description: 'A value for each of `fields`; null if missing.' }),
  ),
  cells: OrNull(
    Whole(
      'The number of cells of a record that does not have one for each column. Its `values` are null, since it is unknown ' +
        'which of them is personal.',
    ),
  ),
}

const shownRowSchema = Type.Object(
  {
    ...shownRowFields,
    refusal: OrNull(
      Type.Object(
        {
          field: OrNull(Text('The field concerned; null for the whole row.')),
          code: Type.Enum(Object.keys(refusalReasons), { description: 'Short machine-readable reason.' }),
          reason: Text('The reason as a sentence.'),
        },
        { title: 'RowRefusal' },
      ),
    ),
  },
  { title: 'ShownRow', description: 'A row as it is stored.' },
)

export const showDeliveryRowsContract = sessionContract({
  operationId: 'showDeliveryRows',
  summary: 'Show the rows of a delivery as they are stored',
  description:
    'In their order. A field that is personal in the version of the delivery or in the current one is masked, regardless of the case ' +
    'of its name, and so is an object or a list that contains something of that name. Broken content is shown as far as it can ' +
    `be read. ${needsDeveloper}`,
  tags: ['Developer page'],
  params: DeliveryParams,
  query: Type.Object({
    ...PageQuery.properties,
    refused: TrueOrFalse('Only the refused rows, as far as they are known.'),
  }),
  responses: {
    200: {
      description: 'The rows.',
      body: ListPage('rows', shownRowSchema, 'DeliveryRows', {
        fields: Type.Array(shownFieldSchema, {
          description: 'Those of the version that the delivery is parsed under.',
        }),
        refusals_known_to: OrNull(
          Whole('The last row whose refusal is known: only the first 100 are stored. Null if all are known.'),
        ),
        broken: OrNull(
          Type.Object(
            {
              row: Whole('The first row that cannot be read.'),
              reason: Text('Why, as a sentence.'),
            },
            { title: 'BrokenRow' },
          ),
        ),
      }),
    },
  },
  errors: [noDelivery],
})

const changedSampleSchema = Type.Object(
  {
    metric: Text('The metric.'),
    period: Type.Enum([...periods], { description: 'The length of the period.' }),
    period_start: Day('Its first day.'),
    labels: Type.Record(Type.String(), Type.String(), { description: 'The label set.' }),
    before: OrNull(Decimal('The value after all earlier deliveries; null if there was none.')),
    gave: OrNull(
      Decimal(
        'What its own rows come to: their sum, their number, how many different values. Null if a statement no longer has the ' +
          'sample, and so removed it.',
      ),
    ),
    rows: Whole('Its rows behind that.'),
    added: OrNull(Whole('For a distinct count of events: how many values no earlier delivery had.')),
    after: OrNull(Decimal('The value with this delivery; null if it removed the sample.')),
    superseded: Flag('Whether a later statement replaced it.'),
  },
  { title: 'ChangedSample' },
)

export const listChangedSamplesContract = sessionContract({
  operationId: 'listChangedSamples',
  summary: 'List the samples that a delivery changed',
  description:
    'Newest period first, then by metric and labels; by the metrics that are read now, in the order in which deliveries ' +
    'were received. Samples that a statement removed come last. Empty while it is queued, and if it is unreadable. ' +
    needsDeveloper,
  tags: ['Developer page'],
  params: DeliveryParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The samples.',
      body: ListPage('samples', changedSampleSchema, 'ChangedSamples', {
        count: Whole('How many there are, of all pages.'),
      }),
    },
  },
  errors: [noDelivery],
})
