import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  Flag,
  NextCursor,
  OrNull,
  PageQuery,
  Text,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { keptByCallerMax, strangersKeptMax } from './refused-call-records.ts'
import { refusedChannels } from './refused-call.ts'

const refusedCallSchema = Type.Object(
  {
    call_id: Uuid('The call.'),
    channel: Type.Enum([...refusedChannels], {
      description: 'A push, a webhook, or a read over a connection.',
    }),
    source_id: OrNull(Uuid('The source that it was about; null if it named none of the company’s.')),
    connection: OrNull(
      Type.Object(
        {
          connection_id: Uuid('The connection.'),
          name: Text('Its name.'),
        },
        {
          title: 'RefusedConnection',
          description: 'Null for a webhook, and if it belongs to another company.',
        },
      ),
    ),
    signed: Flag(
      'Whether the caller is known. False for a webhook without a valid signature, which anyone can send.',
    ),
    method: Text('The HTTP method.'),
    path: Text('The path, without the query.'),
    status: Whole('The status of the answer.'),
    code: Text('The error code.'),
    field: OrNull(Text('The field concerned.')),
    calls: Whole('How many like calls of one second this is; `called_at` is that of the last.'),
    called_at: DateTime('When it was called.'),
  },
  {
    title: 'RefusedCall',
    description: 'A call refused because of its sender’s mistake. Never a body, never a query.',
  },
)

export const listRefusedCallsContract = sessionContract({
  operationId: 'listRefusedCalls',
  summary: 'List refused calls of the company’s systems',
  description:
    'Pushes and reads over its connections and webhooks to its addresses, newest first. The last ' +
    `${keptByCallerMax} of each connection and address are stored, and ${strangersKeptMax} unsigned ones of each address, for 30 ` +
    'days. Calls with an invalid credential belong to no company and are not recorded. A call appears within two seconds. ' +
    'Needs the role `developer`.',
  tags: ['Developer page'],
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
          count: OrNull(Whole('How many pass the filter, of all pages; null on pages after the first.')),
          next_cursor: NextCursor,
        },
        { title: 'RefusedCalls' },
      ),
    },
  },
  errors: [{ code: 'not_found', when: 'The member has no such company.' }],
})
