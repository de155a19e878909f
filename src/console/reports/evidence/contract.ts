import { Type } from 'typebox'
import { deliveryModes } from '../../../engine/declarations/declaration.ts'
import { combinations } from '../../../engine/aggregations/aggregation-definition.ts'
import { formatNames } from '../../../engine/formats/formats.ts'
import { metricSchema } from '../../../company/sources/source-schemas.ts'
import { periods } from '../../../formats/values/period.ts'
import {
  DateTime,
  Day,
  etagHeader,
  Flag,
  OrNull,
  Text,
  unchanged,
  Uuid,
  Whole,
} from '../../../platform/http/console-schemas.ts'
import { sessionContract, type ErrorUse } from '../../../platform/http/contract.ts'
import { AsOf, LabelValues, MetricParams, Value } from '../contract.ts'
import { traceCellsMax } from '../trace-value.ts'
import { shownFieldSchema, shownRowFields } from '../../deliveries/content/contract.ts'
import { evidenceDeliveriesMax, evidenceRowDeliveriesMax, evidenceRowsMax } from './read-evidence.ts'

const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const Code = (description: string) =>
  Type.String({ pattern: '^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$', description })

const provenRowSchema = Type.Object(
  { ...shownRowFields, gave: OrNull(Text('What it gave; null where that would show a masked number.')) },
  { title: 'ProvenRow' },
)

const provenDeliverySchema = Type.Object(
  {
    artifact_id: Uuid('The delivery.'),
    received_at: DateTime('When it was received.'),
    channel: Type.Enum(['push', 'webhook'], { description: 'How it came.' }),
    format: Type.Enum(formatNames, { description: 'Its format.' }),
    sha256: Sha256('SHA-256 of the body as it was received.'),
    connection_id: OrNull(
      Uuid('The connection; null for a webhook, and for the connection of another company.'),
    ),
    signature: OrNull(
      Type.Object(
        {
          signature_id: Uuid('The signature.'),
          signed_at: DateTime('When it was signed.'),
          signed_with: Text('The electronic identity.'),
          record_sha256: Sha256('SHA-256 of the signed record.'),
        },
        { description: 'The signature of the connection.' },
      ),
    ),
    covers: Type.Object(
      { from: Day('First day.'), to: Day('Last day.') },
      { description: 'The days of the period that its rows are about.' },
    ),
    rows: Whole('Its rows behind the figure.'),
    value: Value('What its own rows come to.'),
    counts: Value('The part of it that counted at `as_of`.'),
    step: Value(
      'Of statements: the difference from what was last stated about the same days; null if nothing was.',
    ),
    running: Value('Of events: the value after it, where it is a sum or a count.'),
    added: OrNull(Whole('For a distinct count of events: how many values no earlier delivery had.')),
    event_at: OrNull(DateTime('For a last value: its event time, in UTC.')),
    superseded: Flag('Whether later statements had replaced all of it by then.'),
    superseded_by: Type.Array(Uuid('A delivery.'), {
      description: 'The deliveries that had replaced some or all of it by then.',
    }),
  },
  { title: 'ProvenDelivery' },
)

const contentSchema = Type.Object(
  {
    company: Type.Object(
      {
        company_id: Uuid('The company.'),
        orgnr: Text('Its organisation number.'),
        time_zone: Text('Its time zone, an IANA name, which days follow.'),
      },
      { description: 'Whose figure it is.' },
    ),
    source_id: Uuid('The source.'),
    declaration: Type.Object(
      {
        delivers: Type.Enum([...deliveryModes], { description: 'Whether deliveries are added or replaced.' }),
        event_time: Text('The field that each row’s day is read from.'),
        metric: metricSchema,
      },
      {
        description:
          'What is counted, as it was declared. Values that a personal field is compared with are `•••`.',
      },
    ),
    period: Type.Object(
      {
        grain: Type.Enum([...periods], { description: 'Its length.' }),
        start: Day('Its first day.'),
        end: Day('Its last day.'),
      },
      { description: 'The period of the figure.' },
    ),
    labels: LabelValues('The labels’ values that count; without any all do.'),
    except: LabelValues('Those that do not count.'),
    as_of: DateTime('The instant as of which all of this was known.'),
    value: Value('What is proven; also null if nothing was known yet.'),
    unit: Text('Its unit.'),
    combines: OrNull(
      Type.Enum([...combinations], {
        description: 'How values of days and labels combine; null: they do not.',
      }),
    ),
    complete: Flag(`Whether all deliveries are listed; otherwise the latest ${evidenceDeliveriesMax} are.`),
    unparsed: Whole(
      'Deliveries received by then that are still to be parsed. While there are any, the code may change.',
    ),
    deliveries: Type.Array(provenDeliverySchema, {
      description: 'Those received by then, the earliest first.',
    }),
  },
  { title: 'EvidenceContent', description: 'The same for every role, and for the same `as_of` at any time.' },
)

const detailsSchema = Type.Object(
  {
    company_name: Text('The company’s name.'),
    source_name: Text('The source’s name.'),
    metric_name: Text('The metric’s name.'),
    shape_version: Whole('The version of the declaration.'),
    saved_at: DateTime('When that version was saved.'),
    rebuilding: Flag('Whether the source is being rebuilt under another version.'),
    link: Text('The address of the page, frozen at `as_of`.'),
    deliveries_visible: Flag('Whether the caller may open deliveries: owners and developers may.'),
    deliveries: Type.Array(
      Type.Object(
        {
          artifact_id: Uuid('The delivery.'),
          connection_name: OrNull(Text('The connection’s name.')),
          signed_by: OrNull(Text('Who signed the connection.')),
          rows: OrNull(
            Type.Object(
              {
                fields: Type.Array(shownFieldSchema, { description: 'Of the delivery’s version.' }),
                listed: Type.Array(provenRowSchema, {
                  description: `The first rows that count, at most ${evidenceRowsMax}, as the delivery’s page shows them.`,
                }),
                sha256: Sha256('SHA-256 of the canonical JSON of `listed`.'),
                more: Flag('Whether more rows count.'),
                adds: Flag('Whether what the rows gave adds up to the delivery’s value, if all are listed.'),
              },
              {
                title: 'ProvenRows',
                description: `Of the latest ${evidenceRowDeliveriesMax} deliveries; null for others.`,
              },
            ),
          ),
        },
        { title: 'DetailedDelivery' },
      ),
      { description: 'Empty for roles that may not open deliveries.' },
    ),
  },
  {
    title: 'EvidenceDetails',
    description: 'Names and rows, as they are now and as the caller’s role may see them.',
  },
)

const evidenceSchema = Type.Object(
  {
    format: Type.Literal('numera.evidence/1'),
    code: Code('The beginning of the SHA-256 of the canonical JSON of `content`, in Crockford’s base32.'),
    details_code: Code('The same of `details`.'),
    content: contentSchema,
    details: detailsSchema,
  },
  { title: 'Evidence' },
)

const evidence = {
  tags: ['Reports'],
  params: MetricParams,
  query: Type.Object({
    period_start: Day('First day of the period.'),
    grain: Type.Optional(
      Type.Enum([...periods], { description: 'The length of the period; the metric’s own by default.' }),
    ),
    as_of: AsOf,
  }),
  errors: [
    {
      code: 'invalid_argument',
      when:
        'No such period begins on `period_start`, `grain` is not one of the metric’s, `as_of` is in the future, ' +
        '`label.<name>` or `not.<name>` does not name a label of the metric, one value of a label has to be named, or more than ' +
        `${traceCellsMax.toLocaleString('en-US')} samples are behind the figure.`,
    },
    {
      code: 'not_found',
      when:
        'No delivery has rows about it, the source has no such metric, the company no such source, or the member no such ' +
        'company.',
    },
  ] satisfies ErrorUse[],
}

export const readEvidenceContract = sessionContract({
  operationId: 'readEvidence',
  summary: 'Read the evidence of a figure',
  description:
    'A figure with its declaration, the deliveries behind it and their SHA-256, and a code made of all that, as known at ' +
    '`as_of`, by default now. The same `as_of` gives the same code, for every role. Labels are named as for ' +
    '`traceReport`. For every member; names of people and connections, and rows, for owners and developers.',
  ...evidence,
  responses: {
    200: { description: 'The evidence.', headers: etagHeader, body: evidenceSchema },
    304: unchanged,
  },
})

export const downloadEvidenceContract = sessionContract({
  operationId: 'downloadEvidence',
  summary: 'Download the evidence of a figure',
  description:
    'The same as canonical JSON: keys in code point order, no white space, and a line end. `acceptance/check-evidence.mjs` ' +
    'checks it without this service. For every member.',
  ...evidence,
  responses: { 200: { description: 'The file.', body: evidenceSchema } },
})
