import { Type } from 'typebox'
import { contract } from '../../../platform/http/contract.ts'
import { Flag, Text } from '../../../platform/http/console-schemas.ts'
import { deliveryExample, deliveryFields } from '../../../engine/samples/delivery-contract.ts'
import { limit, orgnr, sourceId, strayParameter } from '../../../engine/samples/parameters.ts'
import { followedQueuedMax } from './position.ts'
import { deliveryStates } from './read-followed.ts'
import { connectionWaitsMax } from './waits.ts'

/** The longest `wait`, in seconds. */
export const waitSecondsMax = 20

export const followDeliveriesContract = contract({
  api: 'public',
  operationId: 'followDeliveries',
  summary: "List a source's deliveries, and follow what becomes of them",
  description:
    'Find out what was received and what became of it, and wait for what comes next.\n\n' +
    'Lists deliveries in the order of receipt. Send `cursor` as `after` to read on: further deliveries, and once more those ' +
    'that were `queued` when they were listed and are parsed now. A delivery may be listed again in the same state, and none is ' +
    `left out. While ${followedQueuedMax} of those listed are queued, no further one is listed.\n\n` +
    'With `wait` an answer that would be empty is held until there is something to list. A sandbox connection sees test ' +
    'deliveries, every other one production deliveries. Needs `sources.ingest` or `metrics.read`.',
  tags: ['Push'],
  addition: true,
  guard: 'bearer',
  permission: ['sources.ingest', 'metrics.read'],
  source: 'required',
  checkedByRoute: true,
  query: Type.Object({
    source_id: sourceId,
    orgnr,
    after: Type.Optional(
      Text(
        '`cursor` of the answer before, or `now`: only what happens from now on, outcomes of queued deliveries included. ' +
          'Absent: from the first delivery.',
      ),
    ),
    state: Type.Optional(
      Type.Enum([...deliveryStates], { description: 'Lists only deliveries that are in this state.' }),
    ),
    limit,
    wait: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,2}$',
        description: `For how many seconds an empty answer is held, 0 to ${waitSecondsMax}; 0 by default.`,
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The deliveries.',
      body: Type.Object(
        {
          deliveries: Type.Array(
            Type.Object(deliveryFields, { title: 'FollowedDelivery', additionalProperties: false }),
            { description: 'In the order of receipt.' },
          ),
          cursor: Text('To be sent as `after`; at most 2,300 characters.'),
          more: Flag('Whether there is more to list now; otherwise read on with `wait`.'),
        },
        { title: 'FollowedDeliveries', additionalProperties: false },
      ),
      examples: {
        parsed: {
          summary: 'One delivery, which is parsed',
          value: { deliveries: [deliveryExample], cursor: '1_0.e8-1-t9k2x0_', more: false },
        },
      },
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when: `\`after\`, \`state\`, \`limit\` or \`wait\` is malformed, \`source_id\` or \`orgnr\` is missing or malformed, ${strayParameter}`,
      examples: {
        wait: {
          summary: 'Too long a wait',
          value: {
            code: 'invalid_argument',
            message: `wait must be a whole number of seconds from 0 to ${waitSecondsMax}.`,
            field: 'wait',
          },
        },
      },
    },
    {
      code: 'rate_limited',
      when: `The rate is used up, or ${connectionWaitsMax} calls of the connection are waiting already.`,
    },
    { code: 'internal', status: 503, when: 'Too many calls are waiting for the company’s deliveries.' },
  ],
})
