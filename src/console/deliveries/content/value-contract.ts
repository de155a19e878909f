import { Type } from 'typebox'
import {
  Day,
  Decimal,
  Flag,
  ListPage,
  OrNull,
  PageQuery,
  Text,
  Uuid,
  Whole,
} from '../../../platform/http/console-schemas.ts'
import { sessionContract } from '../../../platform/http/contract.ts'
import { periods } from '../../../formats/values/period.ts'
import { DeliveryParams, needsDeveloper, noDelivery } from '../contract.ts'
import { shownFieldSchema, shownRowFields } from './contract.ts'
import { changeKinds, differenceRowsMax } from './difference.ts'

/** Fields of a key. */
const keyFieldsMax = 20

const figureQuery = {
  ...PageQuery.properties,
  metric: Type.String({ maxLength: 100, description: 'The metric’s key.' }),
  period_start: Day('First day of the period.'),
  grain: Type.Optional(
    Type.Enum([...periods], { description: 'The length of the period; the metric’s own by default.' }),
  ),
}
const labelSentence =
  'Name labels with `label.<name>` and leave values out with `not.<name>`, as in the trace of a value.'
const fields = Type.Array(shownFieldSchema, { description: 'The declared fields, as in the rows’ `values`.' })
const Labels = (description: string) => Type.Record(Type.String(), Type.Array(Type.String()), { description })
const state = Type.Enum(['parsed', 'queued', 'unreadable'], {
  description: 'Unless it is `parsed`, there are no rows.',
})
const reason = OrNull(Text('Why it is unreadable.'))
const Exact = (description: string) => OrNull(Decimal(`${description} An exact decimal.`))
const gave = Exact(
  'What the row gave: its number or product; 1 where rows are counted; for a distinct count 1 for a value that no row before ' +
    'it had, else 0. Null where it would show a masked number.',
)
const wrongFigure = {
  code: 'invalid_argument',
  when:
    'No such period begins on `period_start`, `grain` is not one of the metric’s, `label.<name>` or `not.<name>` does not ' +
    'name a label of the metric, or one value of a label has to be named.',
} as const
const noMetric = { ...noDelivery, when: `${noDelivery.when} Or its source has no such metric.` }

export const listValueRowsContract = sessionContract({
  operationId: 'listValueRows',
  summary: 'List the rows of a delivery that count for a value',
  description:
    'In their order, with what each gave and what all of them come to, whether or not a later statement replaced it. ' +
    `${labelSentence} Personal fields are masked as in all rows of the delivery. ${needsDeveloper}`,
  tags: ['Developer page'],
  params: DeliveryParams,
  query: Type.Object(figureQuery),
  responses: {
    200: {
      description: 'The rows.',
      body: ListPage(
        'rows',
        Type.Object(
          { ...shownRowFields, gave },
          { title: 'ValueRow', description: 'A row as it is stored.' },
        ),
        'ValueRows',
        {
          artifact_id: Uuid('The delivery.'),
          metric: Text('The metric’s key.'),
          grain: Type.Enum([...periods], { description: 'The length of the period.' }),
          period_start: Day('First day of the period.'),
          labels: Labels('The labels’ values that were named.'),
          except: Labels('Those that were left out.'),
          state,
          reason,
          fields,
          value: Exact('What all of them come to; null if none counts.'),
          rows_counted: Whole('How many rows count, of all pages.'),
          rows_not_counted: Whole('How many other rows the delivery has.'),
        },
      ),
    },
  },
  errors: [wrongFigure, noMetric],
})

const sideRow = OrNull(
  Type.Object({ ...shownRowFields, gave }, { title: 'ComparedRow', description: 'A row as it is stored.' }),
)
const ofKind = (description: string) =>
  Type.Object(
    { rows: Whole('How many, of all pages.'), difference: Exact('What they change of the value.') },
    { description },
  )

export const showDifferenceContract = sessionContract({
  operationId: 'showDifference',
  summary: 'Compare the rows of two deliveries behind a value',
  description:
    'What changed from `with` to this delivery of the same source: rows gone, added and changed, the largest difference first. ' +
    'Their differences add up to that of the two values. Rows that are the same in both are left out; the others are matched ' +
    'by the fields of the key. Only days that both deliveries have rows about are compared. ' +
    `${labelSentence} Personal fields are compared, and shown masked. ${needsDeveloper}`,
  tags: ['Developer page'],
  params: DeliveryParams,
  query: Type.Object({
    ...figureQuery,
    with: Uuid('The delivery to compare with.'),
    key: Type.Optional(
      Type.Union(
        [
          Type.String({ maxLength: 200 }),
          Type.Array(Type.String({ maxLength: 200 }), { maxItems: keyFieldsMax }),
        ],
        {
          description:
            'Fields by which rows are matched, repeated for each. By default the smallest set of fields that no two rows of a ' +
            'delivery have the same values of, or the one that repeats latest.',
        },
      ),
    ),
  }),
  responses: {
    200: {
      description: 'The difference.',
      body: ListPage(
        'rows',
        Type.Object(
          {
            kind: Type.Enum([...changeKinds], { description: 'What happened to the row.' }),
            before: sideRow,
            after: sideRow,
            fields: OrNull(
              Type.Array(Type.String(), { description: 'Of a changed row: the fields that differ.' }),
            ),
            difference: Exact('What it changes of the value; null where values are not added.'),
          },
          { title: 'RowChange' },
        ),
        'RowDifference',
        {
          artifact_id: Uuid('This delivery.'),
          with: Uuid('The one it is compared with.'),
          state,
          reason,
          fields,
          key: Type.Array(Type.String(), { description: 'The fields by which rows were matched.' }),
          key_unique: Flag('Whether no two rows of a delivery have the same key.'),
          value_before: Exact('What the rows of `with` come to.'),
          value_after: Exact('What those of this delivery come to.'),
          difference: Exact('The second minus the first; null where values are not added.'),
          rows_same: Whole('Rows that are the same in both.'),
          gone: ofKind('Rows that only `with` has.'),
          added: ofKind('Rows that only this delivery has.'),
          changed: ofKind('Rows with the same key and other values.'),
        },
      ),
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when:
        `${wrongFigure.when} \`key\` is not a declared field, \`with\` is this delivery or of another source, or more than ` +
        `${differenceRowsMax.toLocaleString('en-US')} rows of a delivery are behind the value.`,
    },
    noMetric,
  ],
})
