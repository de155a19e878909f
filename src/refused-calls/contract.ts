import { Type } from 'typebox'
import { CompanyParams, DateTime, NextCursor, OrNull, PageQuery, Uuid } from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'
import { keptByCallerMax, strangersKeptMax } from './refused-call-records.ts'
import { refusedChannels } from './refused-call.ts'

const refusedCallSchema = Type.Object(
  {
    call_id: Uuid('The call.'),
    channel: Type.Enum([...refusedChannels], {
      description: 'What was tried: a push, a webhook, or a read over a connection.',
    }),
    source_id: OrNull(Uuid('The source that it was about; null where it named none of the company’s.')),
    connection: OrNull(
      Type.Object(
        {
          connection_id: Uuid('The connection.'),
          name: Type.String({ description: 'Its name.' }),
        },
        {
          title: 'RefusedConnection',
          description: 'Null for a webhook, and where it is another company’s.',
        },
      ),
    ),
    signed: Type.Boolean({
      description:
        'Whether it is known who called. False for a webhook whose signature did not open: anybody can have sent it.',
    }),
    method: Type.String({ description: 'The HTTP method.' }),
    path: Type.String({ description: 'The path, without the query.' }),
    status: Type.Integer({ description: 'The status that it was answered with.' }),
    code: Type.String({ description: 'The code of the error.' }),
    field: OrNull(Type.String({ description: 'The field concerned.' })),
    calls: Type.Integer({
      description: 'How many calls of one second were refused like this; `called_at` is that of the last.',
    }),
    called_at: DateTime('When it came.'),
  },
  {
    title: 'RefusedCall',
    description: 'A call that was answered with an error of its sender’s. Never a body, never a query.',
  },
)

export const listRefusedCallsContract = contract({
  api: 'console',
  operationId: 'listRefusedCalls',
  summary: 'List refused calls of the company’s systems',
  description:
    'Pushes and reads over its connections and webhooks to its addresses that were refused, newest first. The last ' +
    `${keptByCallerMax} of each connection and address are kept, and ${strangersKeptMax} unsigned ones of each address, for 30 ` +
    'days. A credential that opens nothing belongs to no company: such calls are not recorded. A call shows within two ' +
    'seconds. Needs the role `developer`.',
  tags: ['Developer page'],
  guard: 'session',
  params: CompanyParams,
  query: Type.Object({
    ...PageQuery.properties,
    source: Type.Optional(Uuid('Only those about this source.')),
    connection: Type.Optional(Uuid('Only those over this connection.')),
    channel: Type.Optional(Type.Enum([...refusedChannels], { description: 'Only of this kind.' })),
  }),
  responses: {
    200: {
      description: 'The calls.',
      body: Type.Object(
        {
          refused_calls: Type.Array(refusedCallSchema),
          count: OrNull(
            Type.Integer({
              description: 'How many pass the filter, of all pages; with the first page, null on the others.',
            }),
          ),
          next_cursor: NextCursor,
        },
        { title: 'RefusedCalls' },
      ),
    },
  },
  errors: [{ code: 'not_found', when: 'There is no such company for the member.' }],
})
