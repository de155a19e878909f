import { formatNames } from '../../engine/formats/formats.ts'
import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  etagHeader,
  Flag,
  ListPage,
  OrNull,
  PageQuery,
  Text,
  unchanged,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { farAheadSchema, refusalSchema, remarkFields } from '../../engine/samples/delivery-contract.ts'
import { deliveryModes } from '../../engine/declarations/declaration.ts'
import { deliveryChannels } from '../../company/sources/source.ts'
import { changedDeliveriesMax } from './live/find-changes.ts'
import { countedMax, searchCharactersMax } from './search/delivery-filter.ts'

export const needsDeveloper = 'Needs the role `developer`.'

const noCompany = { code: 'not_found', when: 'The member has no such company.' } as const
export const noDelivery = {
  code: 'not_found',
  when: 'The member has no such company, or the company has no such delivery.',
} as const

function Rows(description: string) {
  return OrNull(Whole(`${description} Null while it is queued.`))
}

export function TrueOrFalse(description: string) {
  return Type.Optional(Type.Enum(['true', 'false'], { description }))
}

function Moment(description: string) {
  return Type.Optional(Type.String({ maxLength: 40, description }))
}

const deliveryFields = {
  artifact_id: Uuid('The delivery.'),
  source_id: Uuid('Its source.'),
  channel: Type.Enum([...deliveryChannels], { description: 'How it was sent.' }),
  format: Type.Enum(formatNames, { description: 'The format of its stored content.' }),
  key: Text('Its idempotency key, or the delivery id of a webhook.'),
  connection: OrNull(
    Type.Object(
      { connection_id: Uuid('The connection.'), name: Text('Its name.') },
      {
        title: 'DeliveryConnection',
        description: 'Null for a webhook, and if it belongs to another company.',
      },
    ),
  ),
  sandbox: Flag('Whether it is test data.'),
  received_at: DateTime('When it was received.'),
  shape_version: Whole('The version that it is parsed under.'),
  delivers: Type.Enum([...deliveryModes], { description: 'What the source delivered at that time.' }),
  content_bytes: Whole('Size of its stored content.'),
  state: Type.Enum(['queued', 'parsed', 'unreadable'], {
    description: '`unreadable`: stored, but its content is broken and no row counts.',
  }),
  reason: OrNull(Text('Why it is unreadable.')),
  rows_accepted: Rows('Rows that count.'),
  rows_refused: Rows('Rows that do not fit the fields.'),
  rows_date_alone: Rows('Accepted rows with a timestamp that is only a date.'),
  ...remarkFields,
}

const deliveryReportSchema = Type.Object(deliveryFields, { title: 'DeliveryReport' })

export const listDeliveriesContract = sessionContract({
  operationId: 'listDeliveries',
  summary: 'List the deliveries of the company',
  description:
    'Of every source, test and production, the latest first; every filter narrows. A filter that matches few deliveries is ' +
    'searched in steps: a page may then be shorter than `limit`, even empty, and `next_cursor` continues. `searched_to` says ' +
    `how far back the search went. ${needsDeveloper}`,
  tags: ['Developer page'],
  params: CompanyParams,
  query: Type.Object({
    ...PageQuery.properties,
    source: Type.Optional(Uuid('Only of this source.')),
    state: Type.Optional(
      Type.Enum(['queued', 'parsed', 'unreadable', 'refused'], {
        description: 'Only in this state; `refused`: parsed, with refused rows.',
      }),
    ),
    channel: Type.Optional(Type.Enum([...deliveryChannels], { description: 'Only of this channel.' })),
    sandbox: TrueOrFalse('Only test deliveries, or only production ones; both by default.'),
    from: Moment(
      'Only received at this instant (RFC 3339 with an offset) or later; a day is its midnight in the company’s time zone.',
    ),
    to: Moment('Only received before this instant or day.'),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: searchCharactersMax,
        description: 'Only the delivery with this `artifact_id`, and those whose key begins with this text.',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The deliveries.',
      headers: etagHeader,
      body: ListPage('deliveries', deliveryReportSchema, 'DeliveryList', {
        count: OrNull(
          Type.Object(
            {
              deliveries: Whole(`How many there are, at most ${countedMax}.`),
              more: Flag('Whether there are more than were counted.'),
            },
            { title: 'DeliveryCount', description: 'Of all pages; null on those after the first.' },
          ),
        ),
        searched_to: OrNull(
          DateTime('If the search ended before the page was full: nothing received later is missing.'),
        ),
      }),
    },
    304: unchanged,
  },
  errors: [
    {
      code: 'invalid_argument',
      when: 'A filter, `cursor` or `limit` is not as described; `field` names it.',
    },
    noCompany,
  ],
})

export const listLastDeliveriesContract = sessionContract({
  operationId: 'listLastDeliveries',
  summary: 'The last delivery of each source',
  description: `Sources without a delivery are left out. ${needsDeveloper}`,
  tags: ['Developer page'],
  params: CompanyParams,
  query: Type.Object({
    ...PageQuery.properties,
    sandbox: TrueOrFalse('Whether to list test deliveries; production by default.'),
  }),
  responses: {
    200: {
      description: 'One for each source.',
      headers: etagHeader,
      body: ListPage('deliveries', deliveryReportSchema, 'LastDeliveries'),
    },
    304: unchanged,
  },
  errors: [noCompany],
})

export const watchDeliveriesContract = sessionContract({
  operationId: 'watchDeliveries',
  summary: 'Stream changes to the deliveries',
  description:
    'Server-sent events, for `EventSource`: an event `change` when the stream opens and within two seconds of each change, a ' +
    'refused call included. Its data is JSON: `etag` is the `ETag` that the lists of deliveries have from then on; ' +
    `\`deliveries\` are those that have changed since \`since\`, at most ${changedDeliveriesMax}, as the lists have them; and ` +
    '`refused_calls` says whether there are further ones. Read the lists if `deliveries` is null, or if `since` is not ' +
    'the `etag` that you have. An event `heartbeat` every second says that the stream is alive. It ends, within seconds, when ' +
    `the session or the role does. Ten are open for one member; a further one ends the oldest. ${needsDeveloper}`,
  tags: ['Developer page'],
  params: CompanyParams,
  responses: {
    200: {
      description: 'The stream.',
      mediaType: 'text/event-stream',
      body: Text('Events, for as long as the page is open.'),
    },
  },
  errors: [
    { code: 'invalid_argument', when: '`Accept` does not name `text/event-stream`.' },
    noCompany,
    { code: 'internal', status: 503, when: 'Too many pages are open. Poll with `If-None-Match` meanwhile.' },
  ],
})

export const DeliveryParams = Type.Object({
  company_id: Uuid('The company.'),
  artifact_id: Uuid('The delivery.'),
})

export const showDeliveryReportContract = sessionContract({
  operationId: 'showDeliveryReport',
  summary: 'Show a delivery',
  description: `With its first 100 refused rows, without their values. ${needsDeveloper}`,
  tags: ['Developer page'],
  params: DeliveryParams,
  responses: {
    200: {
      description: 'The delivery.',
      body: Type.Object(
        {
          ...deliveryFields,
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the body as received.' }),
          dropped_keys: Type.Array(Type.String(), {
            description: 'Undeclared keys that were not stored, at most 50.',
          }),
          parsed_at: OrNull(DateTime('When it was parsed. Null while it is queued.')),
          refusals: Type.Array(refusalSchema, { description: 'The first 100 refused rows.' }),
          far_ahead: farAheadSchema,
          older_artifact_id: OrNull(
            Uuid('The previous delivery of the same source, test or production like this one.'),
          ),
          newer_artifact_id: OrNull(Uuid('The next one.')),
        },
        { title: 'DeliveryReportInFull' },
      ),
    },
  },
  errors: [noDelivery],
})
